// In: a data set. Out: its size, density and long-tail degree, part by part.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "data/dataset.h"

namespace evenkeel::data {

struct PartStatistics {
  std::string name;       // "train", "valid", "test_id", ...
  std::size_t users = 0;  // with at least one interaction here
  std::size_t items = 0;
  std::size_t interactions = 0;
  double dkl = 0;          // D_KL(popularity || uniform) over all items of the data set
  double dkl_grouped = 0;  // the same over 50 popularity groups
};

struct Statistics {
  std::string name;
  std::size_t users = 0, items = 0;
  std::size_t interactions = 0;  // different pairs over all parts
  double density = 0;            // interactions / (users * items)
  std::vector<PartStatistics> parts;
};

Statistics make_statistics(const Dataset& data);
nlohmann::json to_json(const Statistics& statistics);

// sum p ln(n p) over n counts, natural log; 0 for counts that are all zero.
double dkl_from_uniform(std::span<const std::uint64_t> counts);

// The reading that reproduces the published tables: items by training popularity, descending, ties
// to the lower row (rows are in order of first appearance in train), in groups of ceil(N / 50);
// sum over groups of q ln(50 q).
double dkl_grouped(std::span<const std::uint64_t> counts,
                   std::span<const std::uint32_t> train_popularity);

}  // namespace evenkeel::data
