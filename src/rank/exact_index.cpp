// In: queries. Out: lists; the popularity correction is one number added to each score, which is
// what one more dimension with a 1 in the user's row would do (rank/correction.h).
#include "rank/exact_index.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "base/error.h"
#include "eval/ranker.h"
#include "rank/correction.h"

namespace evenkeel::rank {
namespace {

constexpr std::size_t kColumnsKept = 16;
constexpr std::size_t kLongList =
    1024;  // longer lists are made one by one: their heaps take memory

// From this many items on, eight bits first and then the few that remain take less than all.
constexpr std::size_t kManyItems = 2048;
// A pass over the items is made for six at a time; up to so many are faster one by one (41,000
// items of 64 numbers: 0.06 ms each, where the pass takes 0.3).
constexpr std::size_t kFewQueries = 4;

float inverse_norm(std::span<const float> vector) {
  double square = 0;
  for (const float value : vector) square += double{value} * value;
  const double inverse = square > 0 ? 1.0 / std::sqrt(square) : 0.0;
  return std::isfinite(static_cast<float>(inverse)) ? static_cast<float>(inverse) : 0.0F;
}

// The places in `only` of the items of `masked`; both ascend.
std::vector<Row> places_among(std::span<const Row> masked, std::span<const Row> only) {
  std::vector<Row> places;
  for (const Row item : masked) {
    const auto found = std::lower_bound(only.begin(), only.end(), item);
    if (found != only.end() && *found == item) {
      places.push_back(static_cast<Row>(found - only.begin()));
    }
  }
  return places;
}

}  // namespace

ExactIndex::ExactIndex(const Matrix& items, model::Score score,
                       std::span<const std::uint32_t> popularity, double temperature,
                       Threads& threads)
    : score_(score), temperature_(temperature), prior_(log_prior(popularity)) {
  std::vector<float> scale;
  if (score == model::Score::kCosine) eval::inverse_norms(items, scale, threads);
  panels_.pack(items, scale, threads);
  if (items.rows() >= kManyItems) {
    coarse_ = std::make_unique<const kernels::CoarseItems>(panels_, threads);
  }
}

std::unique_ptr<kernels::CoarseItems::Scratch> ExactIndex::take_scratch() const {
  const std::lock_guard lock(mutex_);
  if (resting_.empty()) return std::make_unique<kernels::CoarseItems::Scratch>();
  auto scratch = std::move(resting_.back());
  resting_.pop_back();
  return scratch;
}

void ExactIndex::give_back(std::unique_ptr<kernels::CoarseItems::Scratch> scratch) const {
  const std::lock_guard lock(mutex_);
  resting_.push_back(std::move(scratch));
}

std::shared_ptr<const AlignedArray<float>> ExactIndex::added(double debias) const {
  if (debias == 0) return nullptr;
  EVENKEEL_CHECK(prior_.size() == panels_.items());
  const std::lock_guard lock(mutex_);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c].debias != debias) continue;
    std::rotate(columns_.begin() + static_cast<std::ptrdiff_t>(c),
                columns_.begin() + static_cast<std::ptrdiff_t>(c) + 1, columns_.end());
    return columns_.back().values;
  }
  auto column =
      std::make_shared<AlignedArray<float>>(panels_.count() * kernels::ItemPanels::kWidth);
  for (std::size_t item = 0; item < prior_.size(); ++item) {
    (*column)[item] = static_cast<float>(-debias * prior_[item]);
  }
  if (columns_.size() == kColumnsKept) columns_.erase(columns_.begin());
  columns_.push_back({debias, column});
  return column;
}

void ExactIndex::compared(const ListQuery& query, std::span<float> out) const {
  EVENKEEL_CHECK(query.vector.size() == dim() && out.size() >= dim());
  const float factor = score_ == model::Score::kCosine ? inverse_norm(query.vector) : 1.0F;
  if (query.debias == 0) {
    for (std::size_t p = 0; p < dim(); ++p) out[p] = query.vector[p] * factor;
    return;
  }
  EVENKEEL_CHECK(temperature_ > 0);
  const double scale = 1 / temperature_ * double{factor};
  for (std::size_t p = 0; p < dim(); ++p) {
    out[p] = static_cast<float>(scale * double{query.vector[p]});
  }
}

void ExactIndex::rank_alone(const ListQuery& query, List& list) const {
  std::vector<float> vector(dim());
  compared(query, vector);
  const auto column = added(query.debias);
  list.resize(std::min(query.k, items()));
  auto scratch = take_scratch();
  const std::uint32_t found = kernels::rank_one(
      panels_, *coarse_,
      {vector.data(), query.masked, list.size(), column ? column->data() : nullptr}, *scratch,
      list);
  give_back(std::move(scratch));
  list.resize(found);
}

void ExactIndex::rank_group(std::span<const ListQuery> queries, std::span<const std::size_t> places,
                            std::span<List> lists) const {
  const ListQuery& first = queries[places[0]];
  if (coarse_ && !first.only && first.k <= kLongList && places.size() <= kFewQueries) {
    for (const std::size_t place : places) rank_alone(queries[place], lists[place]);
    return;
  }
  const std::span<const Row> only = first.only.value_or(std::span<const Row>());
  if (first.only && only.empty()) return;
  kernels::ItemPanels chosen;
  if (first.only) chosen.pack_some(panels_, only);
  const kernels::ItemPanels& panels = first.only ? chosen : panels_;

  Matrix vectors(places.size(), dim());
  std::vector<Row> rows(places.size());
  std::iota(rows.begin(), rows.end(), Row{0});
  std::vector<std::vector<Row>> among(first.only ? places.size() : 0);
  std::vector<std::span<const Row>> masked;
  kernels::RankBlock block;
  for (std::size_t q = 0; q < places.size(); ++q) {
    const ListQuery& query = queries[places[q]];
    compared(query, vectors.values(q));
    if (first.only) among[q] = places_among(query.masked, only);
    masked.push_back(first.only ? std::span<const Row>(among[q]) : query.masked);
    block.k = std::max(block.k, std::min(query.k, panels.items()));
  }
  const auto column = added(first.debias);
  std::vector<float> column_of_chosen;
  if (column && first.only) {
    column_of_chosen.resize(panels.count() * kernels::ItemPanels::kWidth);
    for (std::size_t place = 0; place < only.size(); ++place) {
      column_of_chosen[place] = (*column)[only[place]];
    }
    block.added = column_of_chosen;
  } else if (column) {
    block.added = {column->data(), column->size()};
  }
  block.vectors = &vectors;
  block.rows = rows;
  block.masked = masked;
  kernels::TopKScratch scratch;
  std::vector<kernels::Ranked> found(places.size() * block.k);
  std::vector<std::uint32_t> counts(places.size());
  kernels::rank_block(panels, block, scratch, found, counts);
  for (std::size_t q = 0; q < places.size(); ++q) {
    const auto begin = found.begin() + static_cast<std::ptrdiff_t>(q * block.k);
    const std::size_t size = std::min<std::size_t>(counts[q], queries[places[q]].k);
    List& list = lists[places[q]];
    list.assign(begin, begin + static_cast<std::ptrdiff_t>(size));
    for (kernels::Ranked& entry : list) entry.item = first.only ? only[entry.item] : entry.item;
  }
}

std::vector<List> ExactIndex::rank(std::span<const ListQuery> queries) const {
  std::vector<List> lists(queries.size());
  std::vector<std::size_t> order(queries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (const ListQuery& query : queries) {
    if (query.k == 0) fail_config("k is 0; ask for at least 1 item");
  }
  // Queries that can share a pass come to stand together.
  const auto kind = [&](std::size_t q) {
    const ListQuery& query = queries[q];
    return std::tuple(query.debias, query.only.has_value(),
                      query.only ? query.only->data() : nullptr,
                      query.only ? query.only->size() : 0, query.k > kLongList);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return kind(a) < kind(b); });
  for (std::size_t begin = 0; begin < order.size();) {
    const bool alone = queries[order[begin]].k > kLongList;
    std::size_t end = begin + 1;
    while (!alone && end < order.size() && end - begin < eval::Ranker::kBlock &&
           kind(order[end]) == kind(order[begin])) {
      ++end;
    }
    rank_group(queries, std::span(order).subspan(begin, end - begin), lists);
    begin = end;
  }
  return lists;
}

}  // namespace evenkeel::rank
