// The contract of a loss that sees the samples of a batch together, with one negative each. In: dot
// products of the rows it names for every sample; out: the batch's loss and the derivative with
// respect to each dot product. A term that is no function of dot products is added row by row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/matrix.h"
#include "base/types.h"

namespace evenkeel::loss {

class BatchLoss {
 public:
  // A sample becomes `lines` users, each compared with `width` items. The first line starts with
  // the pair and its negative; L2 counts those two items and the first user.
  struct Layout {
    std::size_t lines = 1, width = 2;
  };
  virtual ~BatchLoss() = default;
  virtual Layout layout() const { return {}; }

  // The negative is drawn among this share of the items, those nearest to the positive in
  // popularity; 0: among all.
  virtual double similar_share() const { return 0; }

  // users[lines] and items[lines * width] of one sample, as rows of the tables.
  virtual void place(Pair positive, Row negative, std::span<Row> users,
                     std::span<Row> items) const {
    users[0] = positive.user;
    items[0] = positive.item;
    items[1] = negative;
  }

  // dots[sample][line][width] in, derivatives of the sum over samples out. Returns that sum.
  // `items` are the items as placed, `vectors` the item rows they name.
  virtual double compute(std::size_t samples, std::span<const Row> items, const Matrix& vectors,
                         float* dots) = 0;

  // A term between two item rows of the same sample: the slot (line * width + item) that `slot` is
  // paired with, or itself when it is not paired.
  virtual std::size_t partner(std::size_t slot) const { return slot; }
  // Adds the term's gradient (of the sum) for a row that is paired `occurrences` times.
  virtual void add_pair_term(std::span<const float> /*own*/, std::span<const float> /*partner*/,
                             std::size_t /*occurrences*/, float* /*gradient*/) const {}
};

}  // namespace evenkeel::loss
