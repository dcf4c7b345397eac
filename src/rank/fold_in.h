// Fold-in. In: a model and the items of users that training never saw; out: a vector for each of
// them that ranks the model's items, without training again.
#pragma once

#include <vector>

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

// The same with the items prepared once. They must outlive it; any thread may ask. The two sides of
// a model are alike: against its users, the rows that come out are new items.
class FoldIn {
 public:
  explicit FoldIn(const model::Model& model) : FoldIn(model.items, model.score) {}
  FoldIn(const Matrix& items, model::Score score);
  Matrix users(const data::Csr& items_of, Threads& threads) const;

 private:
  class Descent;
  const Matrix& items_;
  model::Score score_;
  std::vector<float> scale_;  // of the items, as they are compared
  Matrix sample_;             // compared items that stand for the catalogue
  std::size_t real_ = 0;      // of them; the rest are zeros up to a whole panel
  std::size_t padded_ = 0;
  AlignedArray<float> panels_;  // the same, transposed
  float longest_ = 0;
};

}  // namespace evenkeel::rank
