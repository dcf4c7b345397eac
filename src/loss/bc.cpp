// In: cosines of a sample and the pair's margin. Out: BC loss and derivatives.
#include "loss/bc.h"

#include "loss/positive_margin.h"
#include "loss/softmax.h"

namespace evenkeel::loss {
namespace {

class Bc final : public Softmax {
 public:
  Bc(const Settings& settings, const LossInputs& inputs)
      : Softmax(settings), margin_(settings, inputs) {}

  void prefetch(Row user, Row item) const override { margin_.prefetch(user, item); }

 private:
  formulas::WithMargin<float> positive(const Sample& sample) const override {
    return margin_.of(sample);
  }

  PositiveMargin margin_;
};

std::unique_ptr<Loss> make(const Settings& settings, const LossInputs& inputs) {
  return std::make_unique<Bc>(settings, inputs);
}

}  // namespace

LossEntry bc_entry() {
  std::vector<Field> fields{tau_field(), negative_weight_field()};
  for (Field& field : margin_fields()) fields.push_back(std::move(field));
  return {.name = "bc",
          .description = "softmax with a bias-aware angular margin on the positive",
          .reference = "Zhang et al., Incorporating Bias-aware Margins into Contrastive Loss, 2022",
          .fields = std::move(fields),
          .negatives = "128",
          .similarity = Similarity::kCosine,
          .uses_margins = true,
          .calibrated = true,
          .make = make};
}

}  // namespace evenkeel::loss
