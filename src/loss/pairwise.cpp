// In: dot products of a sample. Out: BPR or BCE and derivatives, mean over the negatives.
#include "loss/pairwise.h"

#include "loss/formulas.h"

namespace evenkeel::loss {
namespace {

using Formula = float (*)(float, const float*, std::size_t, std::size_t, float&, float*);

template <Formula formula>
class Pairwise final : public Loss {
 public:
  Similarity similarity() const override { return Similarity::kDot; }
  float compute(Sample& sample) const override {
    return formula(sample.positive, sample.negatives, sample.count, sample.unmasked,
                   sample.d_positive, sample.d_negatives);
  }
};

template <Formula formula>
std::unique_ptr<Loss> make(const Settings&, const LossInputs&) {
  return std::make_unique<Pairwise<formula>>();
}

LossEntry entry(std::string_view name, std::string_view description, std::string_view reference,
                std::unique_ptr<Loss> (*factory)(const Settings&, const LossInputs&)) {
  return {.name = name,
          .description = description,
          .reference = reference,
          .fields = {},
          .negatives = "1",
          .similarity = Similarity::kDot,
          .make = factory};
}

}  // namespace

LossEntry bpr_entry() {
  return entry("bpr", "Bayesian personalised ranking over dot products",
               "Rendle et al., BPR: Bayesian Personalized Ranking, 2009",
               make<formulas::bpr<float>>);
}

LossEntry bce_entry() {
  return entry("bce", "binary cross-entropy over dot products",
               "He et al., Neural Collaborative Filtering, 2017", make<formulas::bce<float>>);
}

}  // namespace evenkeel::loss
