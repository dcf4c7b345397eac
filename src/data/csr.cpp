// In: pairs in any order. Out: sorted, unique rows, by two counting sorts (columns, then rows).
#include "data/csr.h"

#include <algorithm>

#include "base/error.h"

namespace evenkeel::data {
namespace {

// Stable: inside a bucket the order of `pairs` stays.
template <typename Entry, typename Key>
std::vector<Entry> bucketed(std::span<const Entry> pairs, std::size_t buckets, Key key) {
  std::vector<std::uint64_t> next(buckets + 1);
  for (const Entry& pair : pairs) ++next[key(pair) + 1];
  for (std::size_t b = 1; b <= buckets; ++b) next[b] += next[b - 1];
  std::vector<Entry> out(pairs.size());
  for (const Entry& pair : pairs) out[next[key(pair)]++] = pair;
  return out;
}

struct WeightedPair {
  Pair pair;
  float weight = 0;
};

}  // namespace

Csr make_csr(std::span<const Pair> pairs, std::size_t rows, Side by) {
  const auto row_of = [by](const Pair& p) { return by == Side::kUser ? p.user : p.item; };
  const auto column_of = [by](const Pair& p) { return by == Side::kUser ? p.item : p.user; };
  std::size_t columns = 0;
  for (const Pair& pair : pairs) {
    EVENKEEL_CHECK(row_of(pair) < rows);
    columns = std::max<std::size_t>(columns, std::size_t{column_of(pair)} + 1);
  }
  const std::vector<Pair> by_column = bucketed(pairs, columns, column_of);
  const std::vector<Pair> sorted = bucketed(std::span(by_column), rows, row_of);
  Csr csr;
  csr.offsets.assign(rows + 1, 0);
  csr.columns.reserve(sorted.size());
  for (std::size_t n = 0; n < sorted.size(); ++n) {
    if (n > 0 && sorted[n] == sorted[n - 1]) continue;
    csr.columns.push_back(column_of(sorted[n]));
    ++csr.offsets[row_of(sorted[n]) + 1];
  }
  for (std::size_t r = 1; r <= rows; ++r) csr.offsets[r] += csr.offsets[r - 1];
  return csr;
}

Csr make_csr(const PairList& list, std::size_t users) {
  if (list.weights.empty()) return make_csr(list.pairs, users, Side::kUser);
  EVENKEEL_CHECK(list.weights.size() == list.pairs.size());
  std::vector<WeightedPair> pairs(list.pairs.size());
  std::size_t items = 0;
  for (std::size_t n = 0; n < pairs.size(); ++n) {
    EVENKEEL_CHECK(list.pairs[n].user < users);
    pairs[n] = {list.pairs[n], list.weights[n]};
    items = std::max<std::size_t>(items, std::size_t{list.pairs[n].item} + 1);
  }
  const auto item_of = [](const WeightedPair& p) { return p.pair.item; };
  const auto user_of = [](const WeightedPair& p) { return p.pair.user; };
  pairs = bucketed(std::span<const WeightedPair>(pairs), items, item_of);
  pairs = bucketed(std::span<const WeightedPair>(pairs), users, user_of);
  Csr csr;
  csr.offsets.assign(users + 1, 0);
  for (std::size_t n = 0; n < pairs.size(); ++n) {
    if (n > 0 && pairs[n].pair == pairs[n - 1].pair) {
      csr.weights.back() += pairs[n].weight;
      continue;
    }
    csr.columns.push_back(pairs[n].pair.item);
    csr.weights.push_back(pairs[n].weight);
    ++csr.offsets[pairs[n].pair.user + 1];
  }
  for (std::size_t u = 1; u <= users; ++u) csr.offsets[u] += csr.offsets[u - 1];
  return csr;
}

Csr transposed(const Csr& csr, std::size_t columns) {
  Csr other;
  other.offsets.assign(columns + 1, 0);
  for (const Row column : csr.columns) ++other.offsets[column + 1];
  for (std::size_t c = 1; c <= columns; ++c) other.offsets[c] += other.offsets[c - 1];
  other.columns.resize(csr.size());
  std::vector<std::uint64_t> next(other.offsets.begin(), other.offsets.end() - 1);
  for (std::size_t r = 0; r < csr.rows(); ++r) {
    for (const Row column : csr.row(r)) other.columns[next[column]++] = static_cast<Row>(r);
  }
  return other;
}

}  // namespace evenkeel::data
