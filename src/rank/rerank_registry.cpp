// The one list of rerankers. In: a name, settings and popularity groups; out: a reranker.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/registry.h"
#include "data/groups.h"
#include "rank/compensation.h"
#include "rank/group_rerank.h"
#include "rank/rerank.h"

namespace evenkeel::rank {
namespace {

std::unique_ptr<Reranker> make_calibrated(const Settings& settings, const RerankInputs& inputs) {
  return std::make_unique<CalibratedReranker>(inputs, settings.number("rerank-strength"));
}

std::unique_ptr<Reranker> make_xquad(const Settings& settings, const RerankInputs& inputs) {
  return std::make_unique<XquadReranker>(inputs, settings.number("rerank-strength"));
}

std::unique_ptr<Reranker> make_compensated(const Settings& settings, const RerankInputs& inputs) {
  return std::make_unique<CompensationReranker>(inputs, settings.number("rerank-strength"));
}

// Of a weight from 0 to 1.
std::vector<double> tenths() {
  return {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1};
}

}  // namespace

RerankInputs::RerankInputs(std::span<const std::uint32_t> popularity)
    : item_popularity(popularity), item_group(data::popularity_thirds(popularity)) {}

std::span<const RerankerEntry> rerankers() {
  static const std::array entries{
      RerankerEntry{"calibrated",
                    "lists keep the user's own shares of head, mid and tail items",
                    "Abdollahpouri et al., UMAP 2021",
                    {{"rerank-strength", 0.5,
                      "weight of the distance to the user's shares against relevance", 0, 1}},
                    tenths(),
                    make_calibrated},
      RerankerEntry{
          "xquad",
          "groups that the user consumes and the list still lacks come earlier",
          "Abdollahpouri et al., FLAIRS 2019",
          {{"rerank-strength", 0.7, "weight of the lacking groups against relevance", 0, 1}},
          tenths(),
          make_xquad},
      RerankerEntry{"compensation",
                    "items are paid for being rare, more where the user likes them",
                    "Zhu et al., WSDM 2021",
                    {{"rerank-strength", 0.5, "size of the payment against relevance", 0, 100}},
                    {0, 0.1, 0.2, 0.4, 0.7, 1, 1.5, 2.5, 4, 7, 12, 20},
                    make_compensated}};
  return entries;
}

const RerankerEntry& find_reranker(std::string_view name) {
  return find_entry("reranker", name, rerankers());
}

void relevance_of(std::span<const kernels::Ranked> candidates, std::vector<double>& relevance) {
  relevance.assign(candidates.size(), 1.0);
  if (candidates.empty()) return;
  const double high = candidates.front().score, low = candidates.back().score;
  if (!(high > low) || !std::isfinite(high - low)) return;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    relevance[i] = (candidates[i].score - low) / (high - low);
  }
}

}  // namespace evenkeel::rank
