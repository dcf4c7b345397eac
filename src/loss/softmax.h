// Sampled softmax (InfoNCE, SSM): -log( e^{c_ui/tau} / (e^{c_ui/tau} + sum_j e^{c_uj/tau}) ).
#pragma once

#include "loss/formulas.h"
#include "loss/registry.h"

namespace evenkeel {

class Softmax : public Loss, public SumLoss {
 public:
  explicit Softmax(float tau) : tau_(tau) {}
  Similarity similarity() const override { return Similarity::kCosine; }
  float compute(Sample& sample) const override;
  // exp((s - 1) / tau) of any cosine s stays above e^-80: no float underflows.
  const SumLoss* of_sum() const override { return tau_ >= 0.025F ? this : nullptr; }
  float tau() const override { return tau_; }
  float compute_sum(Sample& sample, float rest) const override;

 private:
  // What the softmax takes for the positive's cosine.
  virtual formulas::Widened<float> positive(const Sample& sample) const {
    return {sample.positive, 1.0F, false};
  }

  float tau_;
};

const Field& tau_field();  // shared by the softmax family
LossEntry softmax_entry();

}  // namespace evenkeel
