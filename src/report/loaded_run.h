// A run with its vectors and its data. In: a record; out: the model, and the data set in the
// model's rows, from the files it was trained on or, where they are gone, from the model itself.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/threads.h"
#include "data/dataset.h"
#include "model/model.h"
#include "report/run_record.h"

namespace evenkeel {

struct LoadedRun {
  Model model;
  std::shared_ptr<const Dataset> data;  // never null; without tests when the files are gone
};

// Reads every data set once, however many runs share it.
class DataShelf {
 public:
  explicit DataShelf(Threads& threads) : threads_(threads) {}
  // The parts as training saw them; throws what reading throws.
  std::shared_ptr<const Dataset> get(const RunRecord& run);

 private:
  Threads& threads_;
  std::map<std::string, std::shared_ptr<const Dataset>> read_;
};

// Nothing when there is no readable model; the run's state and problem then say why, and likewise
// when its data is missing or has changed.
std::optional<LoadedRun> load_run(RunRecord& run, DataShelf& shelf);

}  // namespace evenkeel
