// In: cosines of a sample. Out: PSL and derivatives.
#include "loss/psl.h"

#include "kernels/surrogate.h"
#include "loss/softmax.h"

namespace evenkeel::loss {
namespace {

kernels::Surrogate surrogate_of(const std::string& name) {
  if (name == "atan") return kernels::Surrogate::kAtan;
  if (name == "tanh") return kernels::Surrogate::kTanh;
  return kernels::Surrogate::kRelu;
}

class Psl final : public Loss {
 public:
  explicit Psl(const Settings& settings)
      : surrogate_(surrogate_of(settings.text("surrogate"))),
        tau_(static_cast<float>(settings.number("tau"))) {}
  Similarity similarity() const override { return Similarity::kCosine; }
  float compute(Sample& sample) const override {
    const auto row = kernels::surrogate_row(surrogate_, sample.positive, sample.negatives,
                                            sample.count, tau_, sample.d_negatives);
    sample.d_positive = row.d_positive;
    return row.loss;
  }

 private:
  kernels::Surrogate surrogate_;
  float tau_;
};

std::unique_ptr<Loss> make(const Settings& settings, const LossInputs&) {
  return std::make_unique<Psl>(settings);
}

}  // namespace

LossEntry psl_entry() {
  return {.name = "psl",
          .description = "pairwise softmax: a surrogate that grows less than the exponential",
          .reference = "Yang et al., PSL: Rethinking and Improving Softmax Loss, 2024",
          .fields = {tau_field(),
                     {"surrogate",
                      std::string("relu"),
                      "a(x) in the place of e^x: relu(x + 1), atan(x) + 1 or tanh(x) + 1",
                      0,
                      0,
                      {"relu", "atan", "tanh"}}},
          .negatives = "128",
          .similarity = Similarity::kCosine,
          .make = make};
}

}  // namespace evenkeel::loss
