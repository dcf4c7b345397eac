// In: dot products of a sample, its negatives in the order of their draws. Out: WARP and
// derivatives.
#include "loss/warp.h"

#include "loss/formulas.h"

namespace evenkeel::loss {
namespace {

class Warp final : public Loss {
 public:
  explicit Warp(std::size_t items) : items_(items) {}
  Similarity similarity() const override { return Similarity::kDot; }
  float compute(Sample& sample) const override {
    return formulas::warp(sample.positive, sample.negatives, sample.count, items_,
                          sample.d_positive, sample.d_negatives);
  }

 private:
  std::size_t items_;
};

std::unique_ptr<Loss> make(const Settings&, const LossInputs& inputs) {
  return std::make_unique<Warp>(inputs.item_popularity.size());
}

}  // namespace

LossEntry warp_entry() {
  return {.name = "warp",
          .description = "hinge on the first of the draws that comes too near the positive",
          .reference =
              "Weston et al., WSABIE: Scaling Up to Large Vocabulary Image Annotation, "
              "2011",
          .fields = {},
          .negatives = "128",
          .similarity = Similarity::kDot,
          .counts_draws = true,
          .make = make};
}

}  // namespace evenkeel::loss
