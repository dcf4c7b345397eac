// Rerankers that choose one item after the other by popularity group (head, mid, tail). In:
// popularity groups and histories; out: calibrated lists, or lists that cover the user's groups.
#pragma once

#include <vector>

#include "base/function_ref.h"
#include "eval/popularity.h"
#include "rank/rerank.h"

namespace evenkeel::rank {

class GroupReranker : public Reranker {
 public:
  GroupReranker(const RerankInputs& inputs, double weight);
  // A user without history keeps the plain list.
  void rerank(std::span<const Row> history, std::span<const kernels::Ranked> candidates,
              std::size_t k, std::vector<kernels::Ranked>& list) const final;

 protected:
  // The gain of putting an item of `group` next. `counts` are those of the list so far, `places`
  // the length it will have. It must not fall with relevance: so only the first candidate left of
  // each group needs to be asked, and a list costs 3 k gains.
  struct Step {
    const eval::PopularityShares& wanted;  // of the user's history
    const eval::GroupCounts& counts;
    std::size_t taken, places;
  };
  virtual double gain(const Step& step, std::size_t group, double relevance) const = 0;
  double weight() const { return weight_; }

 private:
  std::span<const std::uint8_t> item_group_;
  double weight_;
};

// Calibrated popularity: (1 - w) mean relevance - w JS(history, list).
class CalibratedReranker final : public GroupReranker {
 public:
  using GroupReranker::GroupReranker;

 private:
  double gain(const Step& step, std::size_t group, double relevance) const override;
};

// xQuAD, smooth: (1 - w) relevance + w P(group | user) (1 - share of the group in the list so far).
class XquadReranker final : public GroupReranker {
 public:
  using GroupReranker::GroupReranker;

 private:
  double gain(const Step& step, std::size_t group, double relevance) const override;
};

}  // namespace evenkeel::rank
