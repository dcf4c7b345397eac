// In: dot products of a batch. Out: the regularised loss and derivatives.
#include "loss/sam_reg.h"

#include <algorithm>
#include <cmath>

#include "loss/formulas.h"

namespace evenkeel::loss {
namespace {

class SamReg final : public BatchLoss {
 public:
  SamReg(double weight, double similar_share, std::span<const std::uint32_t> item_popularity)
      : weight_(weight), similar_share_(similar_share) {
    const double most =
        std::max<double>(1, *std::max_element(item_popularity.begin(), item_popularity.end()));
    for (const std::uint32_t p : item_popularity) popularity_.push_back(p / most);
  }

  double similar_share() const override { return similar_share_; }

  double compute(std::size_t samples, std::span<const Row> items, const Matrix&,
                 float* dots) override {
    const auto n = static_cast<double>(samples);
    const auto gap = [&](std::size_t b) { return double{dots[2 * b]} - double{dots[2 * b + 1]}; };
    double mean_a = 0, mean_b = 0, bpr = 0;
    for (std::size_t b = 0; b < samples; ++b) {
      mean_a += formulas::sigmoid(gap(b)) / n;
      mean_b += popularity_[items[2 * b]] / n;
      bpr += formulas::softplus(-gap(b));
    }
    double top = 0, square_a = 0, square_b = 0;
    for (std::size_t b = 0; b < samples; ++b) {
      const double a = formulas::sigmoid(gap(b)) - mean_a, p = popularity_[items[2 * b]] - mean_b;
      top += a * p;
      square_a += a * a;
      square_b += p * p;
    }
    const double norm_a = std::sqrt(square_a), norm_b = std::sqrt(square_b);
    const double bottom = norm_a * norm_b + 1e-5;
    const double corr = top / bottom;
    for (std::size_t b = 0; b < samples; ++b) {
      const double a = formulas::sigmoid(gap(b)), p = popularity_[items[2 * b]];
      // d corr / d a = (p - mean p) / bottom - top * |p| (a - mean a) / (|a| bottom^2)
      const double pull = norm_a > 0 ? top * norm_b * (a - mean_a) / (norm_a * bottom * bottom) : 0;
      const double d_corr = (p - mean_b) / bottom - pull;
      const double d_gap = -(1 - weight_) * formulas::sigmoid(-gap(b)) +
                           weight_ * n * 2 * corr * d_corr * a * (1 - a);
      dots[2 * b] = static_cast<float>(d_gap);
      dots[2 * b + 1] = static_cast<float>(-d_gap);
    }
    return (1 - weight_) * bpr + weight_ * n * corr * corr;
  }

 private:
  double weight_, similar_share_;
  std::vector<double> popularity_;  // p_i / max p
};

}  // namespace

LossEntry sam_reg_entry() {
  return {.name = "sam-reg",
          .description = "BPR plus the squared correlation of its margins with popularity",
          .reference = "Boratto et al., Connecting User and Item Perspectives, 2021",
          .fields = {{"reg-weight", 0.05, "r, the share of the correlation term", 0.0, 1.0},
                     {"sam-share", 0.0,
                      "draw negatives among this share of items, nearest in popularity; 0: all",
                      0.0, 1.0}},
          .negatives = "1",
          .similarity = Similarity::kDot,
          .make_batch = [](const Settings& settings,
                           const LossInputs& inputs) -> std::unique_ptr<BatchLoss> {
            return std::make_unique<SamReg>(settings.number("reg-weight"),
                                            settings.number("sam-share"), inputs.item_popularity);
          }};
}

}  // namespace evenkeel::loss
