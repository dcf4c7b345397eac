// A model in Python's hands, and the lists and rows that it gives. In: arrays; out: arrays. The
// interpreter is free meanwhile, and Ctrl-C is heard.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <tuple>

#include "convert.h"
#include "rank/model_lists.h"

namespace evenkeel::python {

// A model with what ranking prepares once, when it is first asked for.
class Fitted : public model::Model {
 public:
  explicit Fitted(model::Model model) : model::Model(std::move(model)) {}
  const rank::ModelLists& lists() const {
    const std::lock_guard lock(kept_->mutex);
    if (!kept_->lists) {
      Threads threads;
      kept_->lists = std::make_unique<rank::ModelLists>(*this, threads);
    }
    return *kept_->lists;
  }

 private:
  struct Kept {
    std::mutex mutex;
    std::unique_ptr<rank::ModelLists> lists;  // of this object where it is: made once it rests
  };
  std::unique_ptr<Kept> kept_ = std::make_unique<Kept>();
};

using Vectors = nb::ndarray<const float, nb::ndim<2>, nb::device::cpu>;
using MaybeRows = std::optional<Array1<std::int64_t>>;
using MaybeMatrix = std::optional<std::tuple<Array1<std::int64_t>, Array1<std::int64_t>>>;

// The table as an array that keeps `owner` alive.
nb::ndarray<nb::numpy, const float> view(nb::handle owner, const Matrix& table);

// Places that no item is left for hold kNoItem and minus infinity.
nb::tuple rank(const Fitted& model, const Vectors& vectors, bool against_users, bool cosine,
               const MaybeRows& known, const MaybeMatrix& liked, const MaybeRows& filtered,
               const MaybeRows& only, std::size_t k, int count, double debias,
               const MaybeRerank& rerank, const MaybeRows& history_users,
               const MaybeMatrix& history_items);

// One list for a row of the model's own, without filters: what a service asks most. Items are
// compared by cosine, users by the model's score.
nb::tuple rank_row(const Fitted& model, std::int64_t row, bool item, bool filter_seen,
                   std::size_t k, double debias);

nb::ndarray<nb::numpy, const float> fold(const Fitted& model, Array1<std::int64_t> indptr,
                                         Array1<std::int64_t> indices, int count);

nb::ndarray<nb::numpy, const float> fold_items(const Fitted& model, Array1<std::int64_t> indptr,
                                               Array1<std::int64_t> indices, int count);

// (indptr, indices): everything that the log holds of these users; if asked, what they rated low.
nb::tuple seen(const Fitted& model, Array1<std::int64_t> users, bool rated_low);

}  // namespace evenkeel::python
