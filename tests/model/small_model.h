// A model small enough to check by eye, for the tests of the rooms that use one.
#pragma once

#include "model/model.h"

namespace evenkeel::testing {

// 3 users, 4 items, 3 numbers per vector; ids with a space, a comma, a quote and bytes beyond
// ASCII.
inline model::Model small_model() {
  model::Model model;
  model.users = Matrix(3, 3);
  model.items = Matrix(4, 3);
  const float users[3][3] = {{1, 0, 0}, {0, 2, 0}, {3, 3, 0}};
  const float items[4][3] = {{5, 0, 0}, {0, 1, 0}, {1, 1, 0}, {-1, 0, 2}};
  for (std::size_t r = 0; r < 3; ++r) std::copy_n(users[r], 3, model.users.row(r));
  for (std::size_t r = 0; r < 4; ++r) std::copy_n(items[r], 3, model.items.row(r));
  model.score = model::Score::kCosine;
  for (const char* id : {"anna", "b ö", "c,\"c\""}) model.user_ids.insert(id);
  for (const char* id : {"i0", "50% off", "tab\tid", "last"}) model.item_ids.insert(id);
  model.known.offsets = {0, 1, 1, 3};
  model.known.columns = {0, 0, 2};
  model.user_popularity = {1, 0, 2};
  model.item_popularity = {2, 0, 1, 0};
  model.notes["loss"] = "bc";
  return model;
}

}  // namespace evenkeel::testing
