// Sampled softmax (InfoNCE, SSM): -log( e^{c_ui/tau} / (e^{c_ui/tau} + sum_j e^{c_uj/tau}) ), or
// with a weight w of the negatives: w log sum_j e^{c_uj/tau} - c_ui/tau.
#pragma once

#include "kernels/softmax.h"
#include "loss/formulas.h"
#include "loss/registry.h"

namespace evenkeel::loss {

// From here on exp((s - 1) / tau) of any cosine s stays above e^-80: no float underflows.
constexpr float kLeastTauOfSums = 0.025F;

class Softmax : public Loss, public PartitionLoss {
 public:
  explicit Softmax(const Settings& settings)
      : tau_(static_cast<float>(settings.number("tau"))),
        weight_(static_cast<float>(settings.number("negative-weight"))) {}
  Similarity similarity() const override { return Similarity::kCosine; }
  float compute(Sample& sample) const override;
  const PartitionLoss* partition_loss() const override {
    return tau_ >= kLeastTauOfSums ? this : nullptr;
  }
  float tau() const override { return tau_; }
  float compute_from_sum(Sample& sample, float negative_sum) const override;

 private:
  // What the softmax takes for the positive's cosine.
  virtual formulas::WithMargin<float> positive(const Sample& sample) const {
    return {sample.positive, 1.0F, false};
  }

  kernels::SoftmaxRow weighted_row(float positive, Sample& sample) const;

  float tau_;
  float weight_;  // 0: the positive is part of the sum
};

// Shared by the softmax family.
const Field& tau_field();
const Field& negative_weight_field();
LossEntry softmax_entry();

}  // namespace evenkeel::loss
