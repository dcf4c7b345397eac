// In: cosines of a sample. Out: CCL and derivatives.
#include "loss/ccl.h"

#include "loss/formulas.h"

namespace evenkeel::loss {
namespace {

class Ccl final : public Loss {
 public:
  Ccl(float weight, float margin) : weight_(weight), margin_(margin) {}
  Similarity similarity() const override { return Similarity::kCosine; }
  float compute(Sample& sample) const override {
    return formulas::ccl(sample.positive, sample.negatives, sample.count, sample.unmasked, weight_,
                         margin_, sample.d_positive, sample.d_negatives);
  }

 private:
  float weight_, margin_;
};

std::unique_ptr<Loss> make(const Settings& settings, const LossInputs&) {
  return std::make_unique<Ccl>(static_cast<float>(settings.number("ccl-weight")),
                               static_cast<float>(settings.number("ccl-margin")));
}

}  // namespace

LossEntry ccl_entry() {
  return {.name = "ccl",
          .description = "cosine contrastive loss with a fixed margin on the negatives",
          .reference = "Mao et al., SimpleX: A Simple and Strong Baseline, 2021",
          .fields = {{"ccl-weight", 128.0, "w, the weight of the negatives", 0.0, 1e6},
                     {"ccl-margin", 0.4, "m, the cosine below which a negative is left alone", -1.0,
                      1.0}},
          .negatives = "128",
          .similarity = Similarity::kCosine,
          .make = make};
}

}  // namespace evenkeel::loss
