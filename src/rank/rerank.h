// Post-processing of ranked lists. In: a user's best candidates with their scores; out: its list of
// k, chosen for popularity as well as score. Formulas: docs/methods.md, section 9.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/settings.h"
#include "base/types.h"
#include "kernels/topk.h"

namespace evenkeel::rank {

class Reranker {
 public:
  virtual ~Reranker() = default;
  // `history` are the user's training items, none where nothing is known. `candidates` come best
  // first, equal scores in order of the item's row. `list` becomes min(k, candidates) of them, in
  // their new order, with the scores they came with. No randomness and no state: many threads may
  // call it at once. What is equal goes to the earlier candidate.
  virtual void rerank(std::span<const Row> history, std::span<const kernels::Ranked> candidates,
                      std::size_t k, std::vector<kernels::Ranked>& list) const = 0;
};

// What a reranker may ask for besides its own options. The counts must outlive it, and it must
// outlive the rerankers that are made with it.
struct RerankInputs {
  RerankInputs() = default;
  RerankInputs(std::span<const std::uint32_t> popularity);  // NOLINT: implicit by design
  std::span<const std::uint32_t> item_popularity;           // training counts
  std::vector<std::uint8_t> item_group;                     // 0 head, 1 mid, 2 tail
};

struct RerankerEntry {
  std::string_view name, description, reference;
  std::vector<Field> fields;      // the first is the strength: 0 leaves the list as it is
  std::vector<double> strengths;  // of its front, ascending from 0
  std::unique_ptr<Reranker> (*make)(const Settings&, const RerankInputs&);
};

std::span<const RerankerEntry> rerankers();
const RerankerEntry& find_reranker(std::string_view name);

// Scores of the candidates, brought to 0 (the lowest) .. 1 (the highest), so that a strength means
// the same under every model and score; all 1 when they are equal.
void relevance_of(std::span<const kernels::Ranked> candidates, std::vector<double>& relevance);

}  // namespace evenkeel::rank
