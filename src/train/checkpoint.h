// Checkpoints. In: a trainer between two steps; out: checkpoint.safetensors, from which the same
// training goes on and ends in the same bits.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "base/settings.h"
#include "data/dataset.h"
#include "train/trainer.h"

namespace evenkeel::train {

// `source` is the path of the data, for a command that only says --resume; empty: from memory.
// Every rank calls it; the first writes the file, and its failure is everybody's.
void save_checkpoint(Trainer& trainer, const Settings& settings, const data::Dataset& data,
                     const std::string& source, const std::string& path,
                     cluster::Cluster& ranks = cluster::alone());
std::string checkpoint_source(const std::string& path);

// The tables that train, as the checkpoint holds them, and the data they learned from. For another
// training to start with; damage is a data error.
struct CheckpointTables {
  Matrix users, items;
  std::string fingerprint;
};
CheckpointTables checkpoint_tables(const std::string& path);

// Every option that may not change while a training goes on, as text.
nlohmann::json fixed_settings(const Settings& settings);
// Options that may: they do not change what an epoch computes.
bool may_change(const Field& field);
// Throws a config error that names the first fixed option that differs from `then`.
void check_same_settings(const nlohmann::json& then, const Settings& settings,
                         const std::string& path);

// Throws a config error when the settings or the data are not those of the checkpoint. Options that
// do not change what an epoch computes (threads, epochs, patience, ...) may differ. Anything that
// no training could have left is a data error: a damaged checkpoint.
void restore_checkpoint(Trainer& trainer, const Settings& settings, const data::Dataset& data,
                        const std::string& path);

}  // namespace evenkeel::train
