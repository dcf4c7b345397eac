// A reranker as people ask for it. In: its name, strength and number of candidates; out: a second
// stage behind any ranking, in lists and in evaluations. Nothing of it is stored in a model.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/settings.h"
#include "base/threads.h"
#include "data/csr.h"
#include "eval/evaluate.h"
#include "rank/rerank.h"

namespace evenkeel::rank {

struct RerankAsk {
  const RerankerEntry* entry = nullptr;  // null: lists stay as they are
  double strength = 0;
  std::size_t candidates = 100;  // of a user, k at least
};

inline constexpr std::string_view kNoReranker = "none";
struct RerankWords {
  std::string name = std::string(kNoReranker);
  std::optional<std::string> strength = {};  // a number, in words; the reranker's own
  std::optional<std::size_t> candidates = {};
};
// A config error for an unknown name, a strength out of range, and a strength or number of
// candidates without a reranker.
RerankAsk rerank_ask(const RerankWords& words);

// The options --rerank, --rerank-strength and --rerank-candidates, and what they say; `name` stands
// in for --rerank.
std::span<const Field> rerank_fields();
RerankWords rerank_words(const Settings& settings);
RerankWords rerank_words(const Settings& settings, std::string_view name);

class Reranking {
 public:
  Reranking() = default;  // lists stay as they are
  // A data error where every item is equally popular: there is nothing to rerank by. The inputs
  // must outlive it.
  Reranking(const RerankAsk& ask, const RerankInputs& inputs);

  explicit operator bool() const { return reranker_ != nullptr; }
  std::size_t candidates(std::size_t k) const;  // to rank for a list of k
  // Makes a list of k out of the candidates; `history` as in Reranker::rerank.
  void apply(std::span<const Row> history, std::size_t k, std::vector<kernels::Ranked>& list) const;

 private:
  friend class RerankRule;
  std::shared_ptr<const Reranker> reranker_;
  std::size_t candidates_ = 0;
};

// The same as a rule of an evaluation. `history` holds training items by user row; both must
// outlive it, and it must outlive the evaluation.
class RerankRule {
 public:
  RerankRule(const Reranking& reranking, const data::Csr& history, std::size_t k, int workers);
  RerankRule(const RerankRule&) = delete;  // the rule refers to its place
  RerankRule& operator=(const RerankRule&) = delete;

  const eval::ListRule* rule() const { return reranking_ ? &rule_ : nullptr; }
  std::span<const kernels::Ranked> operator()(Row user, std::span<const kernels::Ranked> best,
                                              int worker) const;

 private:
  const Reranking& reranking_;
  const data::Csr& history_;
  std::size_t k_;
  mutable std::vector<std::vector<kernels::Ranked>> lists_;  // one per worker
  eval::ListRule rule_;
};

}  // namespace evenkeel::rank
