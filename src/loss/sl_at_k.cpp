// In: cosines of a sample, its user's threshold and the pair's margin. Out: SL@K and derivatives.
#include "loss/sl_at_k.h"

#include <algorithm>
#include <limits>

#include "kernels/softmax.h"
#include "loss/positive_margin.h"
#include "loss/softmax.h"

namespace evenkeel::loss {
namespace {

class SlAtK final : public Loss, public PartitionLoss {
 public:
  SlAtK(const Settings& settings, const LossInputs& inputs)
      : tau_(static_cast<float>(settings.number("tau"))),
        tau_weight_(static_cast<float>(settings.number("tau-weight"))),
        margin_(settings, inputs),
        thresholds_(inputs.user_popularity.size(), 0.0F) {}

  Similarity similarity() const override { return Similarity::kCosine; }
  const PartitionLoss* partition_loss() const override {
    return tau_ >= kLeastTauOfSums ? this : nullptr;
  }
  float tau() const override { return tau_; }
  std::span<float> thresholds() override { return thresholds_; }
  void prefetch(Row user, Row item) const override {
    __builtin_prefetch(&thresholds_[user]);
    margin_.prefetch(user, item);
  }

  float compute(Sample& sample) const override {
    if (sample.unmasked == 0) {
      std::fill_n(sample.d_negatives, sample.count, 0.0F);
      sample.d_positive = 0;
      return 0;
    }
    constexpr float kNone = -std::numeric_limits<float>::infinity();
    const auto row =
        kernels::softmax_row(kNone, sample.negatives, sample.count, tau_, sample.d_negatives);
    const auto weighted = of_log_sum(sample, row.log_sum);
    for (std::size_t k = 0; k < sample.count; ++k) sample.d_negatives[k] *= weighted.weight;
    return weighted.loss;
  }

  float compute_from_sum(Sample& sample, float negative_sum) const override {
    if (negative_sum <= 0) {  // every negative masked: nothing to learn
      sample.d_positive = 0;
      sample.factor = 1 / tau_;
      return 0;
    }
    const auto weighted = of_log_sum(sample, std::log(negative_sum) + 1 / tau_);
    sample.factor = weighted.weight / (negative_sum * tau_);
    return weighted.loss;
  }

 private:
  // Writes the positive's derivative. The weight takes c_ui itself: it is what ranks the item.
  formulas::Weighted<float> of_log_sum(Sample& sample, float log_sum) const {
    const auto own = margin_.of(sample);
    const auto weighted = formulas::sl_at_k(sample.positive, own.cosine, own.derivative, log_sum,
                                            thresholds_[sample.user], tau_, tau_weight_);
    sample.d_positive = weighted.d_positive;
    sample.capped = own.past_pi;
    return weighted;
  }

  float tau_, tau_weight_;
  PositiveMargin margin_;
  std::vector<float> thresholds_;  // b, by user
};

std::unique_ptr<Loss> make(const Settings& settings, const LossInputs& inputs) {
  return std::make_unique<SlAtK>(settings, inputs);
}

}  // namespace

LossEntry sl_at_k_entry() {
  std::vector<Field> fields{
      tau_field(),
      unseen_by_extractor(
          {"top-k", std::int64_t{20}, "K, the length of the list that counts", 1, 1000000}),
      unseen_by_extractor({"tau-weight", 1.0,
                           "temperature of a pair's weight (the authors: 0.5 to 3)", 0.1, 100.0}),
      unseen_by_extractor({"threshold-epochs", std::int64_t{5},
                           "epochs between two estimates of every user's K-th score", 1, 1000000}),
      unseen_by_extractor({"threshold-negatives", std::int64_t{1000},
                           "negatives drawn beside the positives to estimate a user's K-th score",
                           1, 1000000})};
  for (Field& field : margin_fields()) fields.push_back(std::move(field));
  return {.name = "sl-at-k",
          .description = "SL@K: softmax weighted by whether the positive reaches the first K",
          .reference = "Yang et al., Breaking the Top-K Barrier, 2025",
          .fields = std::move(fields),
          .negatives = "128",
          .similarity = Similarity::kCosine,
          .defaults = {{"margin-strength", 0.0}},
          .uses_margins = true,
          .calibrated = true,
          .make = make};
}

}  // namespace evenkeel::loss
