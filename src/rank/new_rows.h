// Rows for users and items that a model lacks. In: tables of which some rows are known, and the
// pairs between all of them; out: the other rows, folded in from their neighbours.
#pragma once

#include <cstdint>
#include <vector>

#include "base/matrix.h"
#include "base/threads.h"
#include "data/csr.h"
#include "model/model.h"

namespace evenkeel::rank {

// One side: its vectors, which of them are known, and the rows of the other side each is paired
// with.
struct GrowingSide {
  Matrix& vectors;
  std::vector<std::uint8_t>& known;  // 1 or 0 for each row; all 1 afterwards
  const data::Csr& others_of;
};

// New rows that nothing known leads to.
struct NewRowsAlone {
  std::size_t users = 0, items = 0;
};

// Items come first, from the users that are known; then users, from all items that have a vector by
// then; and so on while there is someone to ask. Users that nothing leads to stand at the mean of
// all. A row's length is the mean of those of known rows about as popular: a dot product goes by
// it. The result does not depend on the number of threads.
NewRowsAlone fold_in_new_rows(GrowingSide users, GrowingSide items, model::Score score,
                              Threads& threads);

// Vectors for new items from the users that have each: row i answers for row i of `users_of`, whose
// columns are the model's users. An item without users gets a zero vector.
Matrix fold_in_items(const model::Model& model, const data::Csr& users_of, Threads& threads);

}  // namespace evenkeel::rank
