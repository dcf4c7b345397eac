// In: a log that may repeat pairs. Out: each pair once, in the order of first appearance.
#include "data/interactions.h"

#include <algorithm>

namespace evenkeel::data {
namespace {

// Row numbers of the log, grouped by user, in log order inside a user.
std::vector<std::uint64_t> rows_by_user(const Interactions& log) {
  std::vector<std::uint64_t> next(log.users.size() + 1);
  for (const Pair& pair : log.pairs) ++next[pair.user + 1];
  for (std::size_t u = 1; u < next.size(); ++u) next[u] += next[u - 1];
  std::vector<std::uint64_t> order(log.pairs.size());
  for (std::uint64_t row = 0; row < log.pairs.size(); ++row) {
    order[next[log.pairs[row].user]++] = row;
  }
  return order;
}

}  // namespace

// Linear: walking the rows user by user, the last row that named an item tells whether this user
// had it before.
void merge_duplicates(Interactions& log) {
  constexpr std::uint64_t kNever = ~std::uint64_t{0};
  std::vector<std::uint64_t> last(log.items.size(), kNever);
  std::vector<bool> repeated(log.pairs.size());
  std::uint64_t count = 0;
  for (const std::uint64_t row : rows_by_user(log)) {
    const Pair& pair = log.pairs[row];
    std::uint64_t& seen = last[pair.item];
    if (seen == kNever || log.pairs[seen].user != pair.user) {
      seen = row;
      continue;
    }
    repeated[row] = true;
    ++count;
    if (!log.times.empty()) log.times[seen] = std::min(log.times[seen], log.times[row]);
  }
  log.report.duplicates += count;
  if (count == 0) return;
  std::size_t kept = 0;
  for (std::size_t row = 0; row < log.pairs.size(); ++row) {
    if (repeated[row]) continue;
    log.pairs[kept] = log.pairs[row];
    if (!log.times.empty()) log.times[kept] = log.times[row];
    ++kept;
  }
  log.pairs.resize(kept);
  if (!log.times.empty()) log.times.resize(kept);
}

}  // namespace evenkeel::data
