// Fold-in. In: a model and the items of users that training never saw; out: a vector for each of
// them that ranks the model's items, without training again.
#pragma once

#include "base/matrix.h"
#include "base/threads.h"
#include "data/csr.h"
#include "model/model.h"

namespace evenkeel::rank {

// Row u answers for row u of `items_of`; a user without items gets a zero vector. The items stay as
// they are; the user starts at the mean of its items and takes a few steps down the softmax loss
// -sum over its items of log(e^{s_ui / tau} / sum over the catalogue of e^{s_uj / tau}).
// There is no randomness in it: the result is the same at any thread count.
Matrix fold_in(const model::Model& model, const data::Csr& items_of, Threads& threads);

}  // namespace evenkeel::rank
