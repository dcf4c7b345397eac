// In: cosines of a sample and the pair's margin. Out: BC loss and derivatives.
#include "loss/bc.h"

#include "base/registry.h"
#include "loss/softmax.h"

namespace evenkeel {
namespace {

class Bc final : public Softmax {
 public:
  Bc(const Settings& settings, const Margins& margins)
      : Softmax(settings),
        shape_(settings.text("margin-shape") == "monotone" ? formulas::Shape::kMonotone
                                                           : formulas::Shape::kCapped),
        margins_(margins) {}

  void prefetch(Row user, Row item) const override { margins_.prefetch(user, item); }

 private:
  formulas::WithMargin<float> positive(const Sample& sample) const override {
    const Margin& margin = margins_.of(sample.user, sample.item);
    return formulas::with_margin(sample.positive, margin.angle, margin.cosine, margin.sine, shape_);
  }

  formulas::Shape shape_;
  const Margins& margins_;
};

std::unique_ptr<Loss> make(const Settings& settings, const LossInputs& inputs) {
  EVENKEEL_CHECK(inputs.margins != nullptr);
  return std::make_unique<Bc>(settings, *inputs.margins);
}

}  // namespace

LossEntry bc_entry() {
  return {
      .name = "bc",
      .description = "softmax with a bias-aware angular margin on the positive",
      .reference = "Zhang et al., Incorporating Bias-aware Margins into Contrastive Loss, 2022",
      .fields = {tau_field(),
                 negative_weight_field(),
                 {"margin", std::string("sigmoid"), "how popularity becomes a margin", 0, 0,
                  entry_names(margin_kinds())},
                 {"margin-strength", 0.3, "lambda, the factor on the margin (the paper: 1)", 0.0,
                  10.0},
                 {"margin-shape",
                  std::string("capped"),
                  "capped: held at -1 past pi (the paper); monotone: straight down from pi/2",
                  0,
                  0,
                  {"capped", "monotone"}},
                 {"tau-extractor", 0.1, "temperature of the popularity bias extractor", 0.01,
                  100.0},
                 {"extractor",
                  std::string("auto"),
                  "how the popularity bias extractor learns: from class counts or from samples "
                  "(auto: sampled where --extractor-epochs is given, classes otherwise)",
                  0,
                  0,
                  {"auto", "classes", "sampled"},
                  std::string("sampled")},
                 {"extractor-epochs", std::int64_t{5}, "epochs of the sampled extractor", 1, 1000}},
      .negatives = "128",
      .similarity = Similarity::kCosine,
      .uses_margins = true,
      .make = make};
}

}  // namespace evenkeel
