// Models and data by hand for tests of the analysis. In: rows of numbers; out: tables.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "base/matrix.h"
#include "data/dataset.h"
#include "model/model.h"

namespace evenkeel::testing {

inline Matrix matrix_of(const std::vector<std::vector<float>>& rows) {
  Matrix matrix(rows.size(), rows.front().size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::copy(rows[r].begin(), rows[r].end(), matrix.row(r));
  }
  return matrix;
}

inline data::Ids ids_of(const std::string& letter, std::size_t count) {
  data::Ids ids;
  for (std::size_t n = 0; n < count; ++n) ids.insert(letter + std::to_string(n));
  return ids;
}

inline data::Dataset data_of(std::size_t users, std::size_t items, const std::vector<Pair>& train,
                             const std::vector<Pair>& test = {}) {
  std::vector<data::NamedPairs> tests;
  if (!test.empty()) tests.push_back({"test", test});
  return data::make_dataset("hand", ids_of("u", users), ids_of("i", items), train, {}, tests);
}

inline model::Model model_of(Matrix users, Matrix items, const data::Dataset& data,
                             model::Score score) {
  model::Model model;
  model.users = std::move(users);
  model.items = std::move(items);
  model.score = score;
  model.user_ids = data.users;
  model.item_ids = data.items;
  model.known = data.items_of;
  model.user_popularity = data.user_popularity;
  model.item_popularity = data.item_popularity;
  return model;
}

}  // namespace evenkeel::testing
