// The data set that training and evaluation see: dense rows, train both ways, validation and tests.
// In: interactions cut into named parts; out: CSR, popularity, external ids.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/types.h"
#include "data/csr.h"
#include "data/ids.h"

namespace evenkeel::data {

inline constexpr std::string_view kValidName = "valid";
inline constexpr std::string_view kSeenName = "seen";  // what is no part: rows below --min-rating

struct Part {
  std::string name;  // "valid", "test_id", ...: the stem of its file
  Csr items_of;      // user -> items
  // A fully observed block: only items that occur in the part are candidates of its evaluation.
  bool own_candidates = false;
  std::size_t interactions() const { return items_of.size(); }
};

// The items that occur in a part, ascending.
std::vector<Row> items_in(const Part& part);

struct Dataset {
  std::string name;
  Ids users, items;                            // rows in order of first appearance, train first
  Csr items_of;                                // training pairs, user -> items
  Csr users_of;                                // the same, item -> users
  std::vector<std::uint32_t> user_popularity;  // p_u: training interactions
  std::vector<std::uint32_t> item_popularity;  // p_i
  Part valid;                                  // may be empty (no interactions)
  std::vector<Part> tests;
  // Rows of the log below --min-rating, user -> items; no rows at all where there are none. They
  // count nowhere, but lists for people leave them out. Parts may hold some of the pairs, too.
  Csr seen;

  std::size_t user_count() const { return users.size(); }
  std::size_t item_count() const { return items.size(); }
  std::size_t interactions() const { return items_of.size(); }
};

// One named list of pairs before it becomes CSR.
struct NamedPairs {
  std::string name;
  std::vector<Pair> pairs;
  std::vector<float> weights = {};  // empty, or one for each pair
};

// Builds the data set: `train` must not be empty. Repeated pairs inside a part are merged.
Dataset make_dataset(std::string name, Ids users, Ids items, const std::vector<Pair>& train,
                     const std::vector<Pair>& valid, const std::vector<NamedPairs>& tests);
Dataset make_dataset(std::string name, Ids users, Ids items, const PairList& train,
                     const PairList& valid, const std::vector<NamedPairs>& tests);
// The same from rows that are compressed already (a matrix in memory). Every part has one row a
// user, and its columns are items.
Dataset dataset_of_rows(std::string name, Ids users, Ids items, Csr train, Csr valid,
                        std::vector<Part> tests);

// Dataset::seen of these pairs.
Csr seen_rows(std::span<const Pair> pairs, std::size_t users);

// Of the ids and the pairs of every part: tells a file that changed meanwhile, or another data set.
std::string fingerprint(const Dataset& data);
// The same with the weights, if there are any: what a training depends on.
std::string training_fingerprint(const Dataset& data);

}  // namespace evenkeel::data
