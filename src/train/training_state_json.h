// Where a training stands, as a checkpoint holds it. In: a state; out: JSON. Back: every count
// is checked against the others, as anybody may have edited the file.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "train/trainer.h"

namespace evenkeel::train {

// What the data and the settings say about every epoch.
struct EpochShape {
  std::size_t samples = 0, batch = 0;
  bool validates = false;  // there is a validation part to choose the best epoch by

  std::uint64_t steps(std::uint64_t done) const { return (done + batch - 1) / batch; }
};

nlohmann::json training_state_json(const TrainingState& state);

// Throws a data error that names the checkpoint and what is wrong in it.
TrainingState read_training_state(const std::string& text, const EpochShape& shape,
                                  const std::string& path);

[[noreturn]] void fail_checkpoint(const std::string& path, const std::string& what);

}  // namespace evenkeel::train
