// A margin on the positive. In: settings, the table of margins and a sample; out: what stands for
// the positive's cosine, cos(theta_ui + M_ui), and the options that decide it.
#pragma once

#include <vector>

#include "loss/formulas.h"
#include "loss/registry.h"

namespace evenkeel::loss {

class PositiveMargin {
 public:
  PositiveMargin(const Settings& settings, const LossInputs& inputs);

  formulas::WithMargin<float> of(const Sample& sample) const {
    const Margin& margin = margins_.of(sample.user, sample.item);
    return formulas::with_margin(sample.positive, margin.angle, margin.cosine, margin.sine, shape_);
  }
  void prefetch(Row user, Row item) const { margins_.prefetch(user, item); }

 private:
  formulas::Shape shape_;
  const Margins& margins_;
};

// Shared by the losses that have such a margin.
std::vector<Field> margin_fields();

}  // namespace evenkeel::loss
