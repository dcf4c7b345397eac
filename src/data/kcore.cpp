// In: a log. Out: its k-core in linear time: each interaction is removed at most once.
#include "data/kcore.h"

#include <utility>

#include "base/error.h"

namespace evenkeel::data {
namespace {

// The log's rows of each user (or item).
struct RowsOf {
  std::vector<std::uint64_t> offsets, rows;
};

RowsOf rows_of(const std::vector<Pair>& pairs, std::size_t count, Row Pair::*side) {
  RowsOf out;
  out.offsets.assign(count + 1, 0);
  for (const Pair& pair : pairs) ++out.offsets[pair.*side + 1];
  for (std::size_t n = 1; n <= count; ++n) out.offsets[n] += out.offsets[n - 1];
  out.rows.resize(pairs.size());
  std::vector<std::uint64_t> next(out.offsets.begin(), out.offsets.end() - 1);
  for (std::uint64_t row = 0; row < pairs.size(); ++row) out.rows[next[pairs[row].*side]++] = row;
  return out;
}

struct Degrees {
  RowsOf rows;
  std::vector<std::uint64_t> left;  // interactions that remain
  Degrees(const std::vector<Pair>& pairs, std::size_t count, Row Pair::*side)
      : rows(rows_of(pairs, count, side)), left(count) {
    for (std::size_t n = 0; n < count; ++n) left[n] = rows.offsets[n + 1] - rows.offsets[n];
  }
};

// Old row -> new row for the ids that stay; kGone for the others.
constexpr Row kGone = ~Row{0};

std::vector<Row> renumber(Ids& ids, const std::vector<std::uint64_t>& left) {
  Ids kept;
  std::vector<Row> rows(ids.size(), kGone);
  for (Row row = 0; row < ids.size(); ++row) {
    if (left[row] > 0) rows[row] = kept.insert(ids.text(row));
  }
  ids = std::move(kept);
  return rows;
}

}  // namespace

void filter_k_core(Interactions& log, std::int64_t k) {
  if (k <= 1) return;
  const auto least = static_cast<std::uint64_t>(k);
  Degrees users(log.pairs, log.users.size(), &Pair::user);
  Degrees items(log.pairs, log.items.size(), &Pair::item);
  std::vector<std::pair<Side, Row>> queue;
  for (Row u = 0; u < log.users.size(); ++u) {
    if (users.left[u] < least) queue.emplace_back(Side::kUser, u);
  }
  for (Row i = 0; i < log.items.size(); ++i) {
    if (items.left[i] < least) queue.emplace_back(Side::kItem, i);
  }
  std::vector<bool> gone(log.pairs.size());
  while (!queue.empty()) {
    const auto [side, row] = queue.back();
    queue.pop_back();
    Degrees& own = side == Side::kUser ? users : items;
    Degrees& other = side == Side::kUser ? items : users;
    for (std::uint64_t n = own.rows.offsets[row]; n < own.rows.offsets[row + 1]; ++n) {
      const std::uint64_t pair = own.rows.rows[n];
      if (gone[pair]) continue;
      gone[pair] = true;
      --own.left[row];
      const Row partner = side == Side::kUser ? log.pairs[pair].item : log.pairs[pair].user;
      // Exactly at the crossing, so that nobody is queued twice.
      if (--other.left[partner] + 1 == least) {
        queue.emplace_back(side == Side::kUser ? Side::kItem : Side::kUser, partner);
      }
    }
  }
  const std::vector<Row> user_row = renumber(log.users, users.left);
  const std::vector<Row> item_row = renumber(log.items, items.left);
  std::size_t kept = 0;
  for (std::size_t n = 0; n < log.pairs.size(); ++n) {
    if (gone[n]) continue;
    log.pairs[kept] = {user_row[log.pairs[n].user], item_row[log.pairs[n].item]};
    if (!log.times.empty()) log.times[kept] = log.times[n];
    if (!log.weights.empty()) log.weights[kept] = log.weights[n];
    ++kept;
  }
  log.pairs.resize(kept);
  std::erase_if(log.seen, [&](Pair& pair) {
    pair = {user_row[pair.user], item_row[pair.item]};
    return pair.user == kGone || pair.item == kGone;
  });
  if (!log.times.empty()) log.times.resize(kept);
  if (!log.weights.empty()) log.weights.resize(kept);
  if (kept == 0) fail_data("the {}-core of the data is empty; lower --k-core", k);
}

}  // namespace evenkeel::data
