// In: margins of training pairs. Out: the hardest of them, and their ranks.
#include "analysis/hard_pairs.h"

#include <algorithm>
#include <cmath>

#include "data/groups.h"

namespace evenkeel::analysis {
namespace {

double score_of(const eval::VectorView& vectors, Row user, Row item) {
  double product = 0, a = 0, b = 0;
  for (std::size_t c = 0; c < vectors.users.dim(); ++c) {
    const double x = vectors.users.row(user)[c], y = vectors.items.row(item)[c];
    product += x * y;
    a += x * x;
    b += y * y;
  }
  if (vectors.score != model::Score::kCosine) return product;
  return a > 0 && b > 0 ? product / std::sqrt(a * b) : 0;
}

}  // namespace

std::vector<HardPair> hardest_pairs(const loss::Margins& margins, const data::Dataset& data,
                                    std::size_t most) {
  const std::vector<std::uint8_t> group = data::popularity_thirds(data.item_popularity);
  std::array<std::vector<HardPair>, 3> by_group;
  for (Row user = 0; user < data.user_count(); ++user) {
    std::array<HardPair, 3> best;  // the user's own in each group
    for (const Row item : data.items_of.row(user)) {
      const double margin = margins.of(user, item).angle;
      if (margin > best[group[item]].margin) best[group[item]] = {user, item, margin};
    }
    for (std::size_t g = 0; g < best.size(); ++g) {
      if (best[g].margin > 0) by_group[g].push_back(best[g]);
    }
  }
  std::vector<HardPair> out;
  for (auto& pairs : by_group) {
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const HardPair& a, const HardPair& b) { return a.margin > b.margin; });
    if (pairs.size() > most) pairs.resize(most);
    out.insert(out.end(), pairs.begin(), pairs.end());
  }
  return out;
}

std::size_t rank_of_pair(const eval::VectorView& vectors, const data::Csr& known, Row user,
                         Row item) {
  const double own = score_of(vectors, user, item);
  std::size_t ahead = 0;
  for (Row other = 0; other < vectors.items.rows(); ++other) {
    if (other == item || known.contains(user, other)) continue;
    const double score = score_of(vectors, user, other);
    ahead += score > own || (score == own && other < item) ? 1 : 0;
  }
  return ahead + 1;
}

}  // namespace evenkeel::analysis
