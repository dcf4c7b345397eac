// In: cosines of a sample. Out: softmax loss and derivatives.
#include "loss/softmax.h"

#include "kernels/softmax.h"

namespace evenkeel {
namespace {

class Softmax final : public Loss {
 public:
  explicit Softmax(float tau) : tau_(tau) {}
  Similarity similarity() const override { return Similarity::kCosine; }
  float compute(Sample& sample) const override {
    const kernels::SoftmaxRow row = kernels::softmax_row(sample.positive, sample.negatives,
                                                         sample.count, tau_, sample.d_negatives);
    sample.d_positive = row.d_positive;
    return row.loss;
  }

 private:
  float tau_;
};

std::unique_ptr<Loss> make(const Settings& settings, const LossInputs&) {
  return std::make_unique<Softmax>(static_cast<float>(settings.number("tau")));
}

}  // namespace

const Field& tau_field() {
  static const Field field{"tau", 0.1, "temperature of the softmax", 0.01, 100.0};
  return field;
}

LossEntry softmax_entry() {
  return {.name = "softmax",
          .description = "sampled softmax over cosines (InfoNCE, SSM)",
          .reference = "Wu et al., On the Effectiveness of Sampled Softmax Loss, 2022",
          .fields = {tau_field()},
          .negatives = "128",
          .similarity = Similarity::kCosine,
          .make = make};
}

}  // namespace evenkeel
