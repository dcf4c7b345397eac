// In: cosines of a sample. Out: softmax loss and derivatives.
#include "loss/softmax.h"

#include <algorithm>
#include <limits>

namespace evenkeel::loss {

float Softmax::compute(Sample& sample) const {
  const auto own = positive(sample);
  const kernels::SoftmaxRow row =
      weight_ > 0 ? weighted_row(own.cosine, sample)
                  : kernels::softmax_row(own.cosine, sample.negatives, sample.count, tau_,
                                         sample.d_negatives);
  sample.d_positive = row.d_positive * own.derivative;
  sample.capped = own.past_pi;
  return row.loss;
}

kernels::SoftmaxRow Softmax::weighted_row(float positive, Sample& sample) const {
  if (sample.unmasked == 0) {
    std::fill_n(sample.d_negatives, sample.count, 0.0F);
    return {};
  }
  constexpr float kNone = -std::numeric_limits<float>::infinity();
  auto row = kernels::softmax_row(kNone, sample.negatives, sample.count, tau_, sample.d_negatives);
  for (std::size_t k = 0; k < sample.count; ++k) sample.d_negatives[k] *= weight_;
  row.loss = weight_ * row.log_sum - positive / tau_;
  return row;
}

float Softmax::compute_from_sum(Sample& sample, float negative_sum) const {
  const auto own = positive(sample);
  const auto row = weight_ > 0 ? formulas::weighted_of_sum(own.cosine, negative_sum, tau_, weight_)
                               : formulas::softmax_of_sum(own.cosine, negative_sum, tau_);
  sample.d_positive = row.d_positive * own.derivative;
  sample.factor = row.factor;
  sample.capped = own.past_pi;
  return row.loss;
}

namespace {

std::unique_ptr<Loss> make(const Settings& settings, const LossInputs&) {
  return std::make_unique<Softmax>(settings);
}

}  // namespace

const Field& tau_field() {
  static const Field field =
      unseen_by_extractor({"tau", 0.1,
                           "temperature of the softmax (unless given, from 0.25 for some ten "
                           "thousand pairs to 0.12 for 400,000 and more)",
                           0.01, 100.0});
  return field;
}

const Field& negative_weight_field() {
  static const Field field =
      unseen_by_extractor({"negative-weight", 0.0,
                           "weight of the negatives, the positive then left out of the softmax's "
                           "sum (0: the usual softmax)",
                           0.0, 100.0});
  return field;
}

LossEntry softmax_entry() {
  return {.name = "softmax",
          .description = "sampled softmax over cosines (InfoNCE, SSM)",
          .reference = "Wu et al., On the Effectiveness of Sampled Softmax Loss, 2022",
          .fields = {tau_field(), negative_weight_field()},
          .negatives = "128",
          .similarity = Similarity::kCosine,
          .calibrated = true,
          .make = make};
}

}  // namespace evenkeel::loss
