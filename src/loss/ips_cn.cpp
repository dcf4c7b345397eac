// In: dot products of a sample and the item's weight. Out: weighted BPR and derivatives.
#include "loss/ips_cn.h"

#include <algorithm>

#include "loss/formulas.h"

namespace evenkeel::loss {
namespace {

class IpsCn final : public Loss {
 public:
  explicit IpsCn(std::vector<float> weights) : weights_(std::move(weights)) {}
  Similarity similarity() const override { return Similarity::kDot; }
  float compute(Sample& sample) const override {
    const float weight = weights_[sample.item];
    const float loss = formulas::bpr(sample.positive, sample.negatives, sample.count,
                                     sample.unmasked, sample.d_positive, sample.d_negatives);
    sample.d_positive *= weight;
    for (std::size_t k = 0; k < sample.count; ++k) sample.d_negatives[k] *= weight;
    return weight * loss;
  }

 private:
  std::vector<float> weights_;
};

std::unique_ptr<Loss> make(const Settings&, const LossInputs& inputs) {
  return std::make_unique<IpsCn>(ips_weights(inputs.item_popularity));
}

}  // namespace

std::vector<float> ips_weights(std::span<const std::uint32_t> item_popularity) {
  const double most = 1.0 + *std::max_element(item_popularity.begin(), item_popularity.end());
  std::vector<double> inverse;
  for (const std::uint32_t p : item_popularity) inverse.push_back(most / (1.0 + p));
  std::vector<double> sorted = inverse;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t half = sorted.size() / 2;
  const double median =
      sorted.size() % 2 == 1 ? sorted[half] : 0.5 * (sorted[half - 1] + sorted[half]);
  const double largest = std::clamp(sorted.back(), 1.0, std::max(1.0, median));
  std::vector<float> weights;
  weights.reserve(inverse.size());
  for (const double x : inverse) {
    weights.push_back(static_cast<float>(std::clamp(x, 1.0, std::max(1.0, median)) / largest));
  }
  return weights;
}

LossEntry ips_cn_entry() {
  return {.name = "ips-cn",
          .description = "BPR weighted by clipped, normalised inverse propensities",
          .reference = "Gruson et al., Offline Evaluation to Make Decisions, 2019",
          .fields = {},
          .negatives = "1",
          .similarity = Similarity::kDot,
          .make = make};
}

}  // namespace evenkeel::loss
