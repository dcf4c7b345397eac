// Popularity compensation. In: popularity; out: lists by score plus a payment for being rare.
#pragma once

#include "rank/rerank.h"

namespace evenkeel::rank {

// r_i + strength (n / m) c_i, c_i = (taste r_i / n + 1 - taste) / (p_i + 1); n and m are the root
// mean squares of r and c over the user's candidates.
class CompensationReranker final : public Reranker {
 public:
  CompensationReranker(const RerankInputs& inputs, double strength)
      : popularity_(inputs.item_popularity), strength_(strength) {}
  void rerank(std::span<const Row> history, std::span<const kernels::Ranked> candidates,
              std::size_t k, std::vector<kernels::Ranked>& list) const override;

 private:
  std::span<const std::uint32_t> popularity_;
  static constexpr double kTaste = 0.5;  // share of the payment that goes by the user's score
  double strength_;
};

}  // namespace evenkeel::rank
