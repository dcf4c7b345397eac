// In: settings and margins. Out: the margin's shape, and its options.
#include "loss/positive_margin.h"

#include "base/registry.h"

namespace evenkeel::loss {
namespace {

const Margins& margins_of(const LossInputs& inputs) {
  EVENKEEL_CHECK(inputs.margins != nullptr);
  return *inputs.margins;
}

}  // namespace

PositiveMargin::PositiveMargin(const Settings& settings, const LossInputs& inputs)
    : shape_(settings.text("margin-shape") == "monotone" ? formulas::Shape::kMonotone
                                                         : formulas::Shape::kCapped),
      margins_(margins_of(inputs)) {}

std::vector<Field> margin_fields() {
  return {
      unseen_by_extractor({"margin", std::string("sigmoid"), "how popularity becomes a margin", 0,
                           0, entry_names(margin_kinds())}),
      unseen_by_extractor({"margin-strength", 0.3,
                           "lambda, the factor on the margin (the paper: 1; sl-at-k: 0)", 0.0,
                           10.0}),
      unseen_by_extractor(
          {"margin-shape",
           std::string("capped"),
           "capped: held at -1 past pi (the paper); monotone: straight down from pi/2",
           0,
           0,
           {"capped", "monotone"}}),
      {"tau-extractor", 0.1, "temperature of the popularity bias extractor", 0.01, 100.0},
      {"extractor",
       std::string("auto"),
       "how the popularity bias extractor learns: from class counts or from samples (auto: sampled "
       "where --extractor-epochs is given, classes otherwise)",
       0,
       0,
       {"auto", "classes", "sampled"},
       std::string("sampled")},
      {"extractor-epochs", std::int64_t{5}, "epochs of the sampled extractor", 1, 1000}};
}

}  // namespace evenkeel::loss
