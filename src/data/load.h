// The door of the room. In: DATA (a folder of parts or one interactions file) and settings;
// out: the data set. A pure function of the files, the settings and the seed.
#pragma once

#include <string>

#include "base/settings.h"
#include "base/threads.h"
#include "data/dataset.h"
#include "data/interactions.h"

namespace evenkeel::data {

struct LoadReport {
  ReadReport read;  // all files together
  // A single file before k-core; equal to the data set where no k-core was asked for.
  std::size_t read_users = 0, read_items = 0, read_interactions = 0;
  bool held_out_validation = false;  // out of train, because there was no validation part
};

Dataset load_data(const std::string& path, const Settings& settings, Threads& threads,
                  LoadReport* report = nullptr);

// The same as a training sees it: `validation` of the settings is held out where there is no
// validation part, unless a log is not to be split at all.
Dataset load_for_training(const std::string& path, const Settings& settings, Threads& threads,
                          LoadReport* report = nullptr);

// Moves a seeded `fraction` of train to a validation part that does not exist yet. The last
// training interaction of a user or an item stays. A data set with validation comes back as it is.
Dataset hold_out_validation(Dataset data, double fraction, std::uint64_t seed);

// Which items the tests rank, as `candidates` of the settings says (left alone where they have no
// such option). A word other than those of candidates_field() has been refused before.
void set_candidates(Dataset& data, const Settings& settings);

// Validation pairs become training pairs, and those of the tests if asked for.
Dataset merge_into_train(Dataset data, bool tests);

}  // namespace evenkeel::data
