// In: cosines of a sample. Out: softmax loss and derivatives.
#include "loss/softmax.h"

#include "kernels/softmax.h"

namespace evenkeel {

float Softmax::compute(Sample& sample) const {
  const auto own = positive(sample);
  const kernels::SoftmaxRow row =
      kernels::softmax_row(own.cosine, sample.negatives, sample.count, tau_, sample.d_negatives);
  sample.d_positive = row.d_positive * own.derivative;
  sample.capped = own.past_pi;
  return row.loss;
}

float Softmax::compute_sum(Sample& sample, float rest) const {
  const auto own = positive(sample);
  const auto row = formulas::softmax_of_sum(own.cosine, rest, tau_);
  sample.d_positive = row.d_positive * own.derivative;
  sample.factor = row.factor;
  sample.capped = own.past_pi;
  return row.loss;
}

namespace {

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
