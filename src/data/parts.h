// A log that is cut. In: a log and the part of each of its pairs; out: named lists of pairs whose
// rows are numbered by first appearance over train, valid, tests: what a folder holds.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "data/interactions.h"

namespace evenkeel::data {

struct Parts {
  std::string name;
  Ids users, items;
  std::vector<Pair> train, valid;  // grouped by user
  std::vector<float> train_weights = {}, valid_weights = {};
  std::vector<NamedPairs> tests;  // in name order
  std::vector<Pair> seen = {};    // of the log, but in no part (Interactions::seen)
};

// Pairs of the log by part: names[part_of[n]]; names[0] is train, names[1] valid, the rest tests
// in name order.
struct SplitPlan {
  std::vector<std::string> names;
  std::vector<std::uint8_t> part_of;
};

Parts cut(std::string name, const Interactions& log, const SplitPlan& plan);

// The same from lists that exist already, over shared row numbers of `users` and `items`.
// Of `seen` stays what has a user and an item in some list.
Parts numbered(std::string name, const Ids& users, const Ids& items, std::vector<NamedPairs> lists,
               std::span<const Pair> seen = {});

Dataset make_dataset(Parts parts);

// Writes the folder of docs/formats.md: parts as row numbers, users.csv and items.csv with the ids,
// and the manifest, to which the counts and files are added (returned). The folder appears whole or
// not at all; an earlier split in its place is replaced, anything else in it is refused.
nlohmann::json write_parts(const std::string& folder, const Parts& parts, nlohmann::json manifest);

}  // namespace evenkeel::data
