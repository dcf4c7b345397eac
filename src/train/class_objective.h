// The extractor's loss over popularity classes (docs/methods.md): it depends on the data only
// through how many training pairs lie between each user class and each item class. In: those
// counts and unit vectors; out: the loss and its gradients, whatever the number of interactions.
#pragma once

#include <span>
#include <vector>

#include "base/matrix.h"
#include "base/threads.h"
#include "data/csr.h"
#include "loss/margin.h"

namespace evenkeel::train {

struct ClassCounts {
  Matrix pairs;              // share of the training pairs: user class x item class
  std::vector<float> items;  // share of the items in each class
};
// `weight` says how much a pair of weight 1 counts of a user whose pairs weigh so much. Users who
// own every item have nothing to be compared with and take no part.
ClassCounts class_counts(const data::Csr& items_of, const loss::PopularityClasses& users,
                         const loss::PopularityClasses& items, double (*weight)(double total),
                         Threads& threads);

struct ClassGradients {
  Matrix users, items;
};

class ClassObjective {
 public:
  ClassObjective(const ClassCounts& counts, std::size_t dim, double tau, double negatives,
                 Threads& threads);

  // The gradients with respect to the cosines, carried to unit vectors (not projected); the mean
  // loss if it is wanted, which costs a logarithm for each pair of classes, and 0 otherwise.
  double evaluate(const Matrix& users, const Matrix& items, bool wants_loss, ClassGradients& out);

 private:
  // The user classes are cut into so many stretches at any thread count; each has sums of its own.
  static constexpr std::size_t kStretches = 16;
  static constexpr std::size_t kTile = 64;  // user classes that are compared at once

  double stretch(std::size_t number, const Matrix& users, const Matrix& items, bool wants_loss,
                 float* tile, Matrix& user_gradients);
  double derivatives(std::size_t user, bool wants_loss, float* values, float* ratios) const;

  const ClassCounts& counts_;
  float tau_;
  Threads& threads_;
  std::size_t stride_;                        // of a tile's rows
  AlignedArray<float> negatives_;             // N n_b / I
  AlignedArray<float> panels_;                // the item vectors as the product wants them
  std::vector<Matrix> partial_;               // item gradients by stretch
  std::vector<AlignedArray<float>> scratch_;  // by worker: a tile and one row
};

}  // namespace evenkeel::train
