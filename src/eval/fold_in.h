// Fold-in. In: a model and the items of users that training never saw; out: a vector for each of
// them that ranks the model's items, without training again.
#pragma once

#include "base/matrix.h"
#include "base/threads.h"
#include "data/csr.h"
#include "model/model.h"

namespace evenkeel {

// Row u answers for row u of `items_of`; a user without items gets a zero vector. The items'
// vectors v (of length 1 in a cosine model) stay as they are, and u minimises
//   sum over its items (1 - u.v)^2 + background * mean over all items (u.v)^2 * items of the user,
// a small linear system for each user: exact, and the same at any thread count.
Matrix fold_in(const Model& model, const Csr& items_of, Threads& threads);

}  // namespace evenkeel
