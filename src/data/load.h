// The door of the room. In: DATA (a folder of parts or one interactions file) and settings;
// out: the data set. A pure function of the files, the settings and the seed.
#pragma once

#include <string>

#include "base/settings.h"
#include "base/threads.h"
#include "data/dataset.h"
#include "data/interactions.h"

namespace evenkeel {

struct LoadReport {
  ReadReport read;  // all files together
  // A single file before k-core; equal to the data set where no k-core was asked for.
  std::size_t read_users = 0, read_items = 0, read_interactions = 0;
};

Dataset load_data(const std::string& path, const Settings& settings, Threads& threads,
                  LoadReport* report = nullptr);

// Moves a seeded `fraction` of train to a validation part that does not exist yet. The last
// training interaction of a user or an item stays. A data set with validation comes back as it is.
Dataset hold_out_validation(Dataset data, double fraction, std::uint64_t seed);

}  // namespace evenkeel
