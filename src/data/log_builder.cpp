// In: pairs. Out: the log they make.
#include "data/log_builder.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "data/renumber.h"

namespace evenkeel::data {
namespace {

// Some for each thread, so that they end together; one thread needs no cut.
std::size_t shard_count(const Threads& threads) {
  if (threads.count() == 1) return 1;
  return std::bit_ceil(std::min<std::size_t>(64, static_cast<std::size_t>(threads.count()) * 4));
}

}  // namespace

LogBuilder::LogBuilder(const Threads& threads)
    : users(shard_count(threads)), items(shard_count(threads)) {}

void LogBuilder::add(std::string_view user, std::string_view item) {
  const Row row = users.insert(user);
  pairs.push_back({row, items.insert(item)});
  ++read;
}

Interactions LogBuilder::take(Threads& threads) {
  Interactions log;
  threads.for_chunks(2, 1, [&](std::size_t side, std::size_t, int) {
    if (side == 0) log.users = users.take();
    if (side == 1) log.items = items.take();
  });
  log.pairs = std::exchange(pairs, {});
  log.times = std::exchange(times, {});
  log.weights = std::exchange(weights, {});
  log.seen = std::exchange(seen, {});
  log.report = std::exchange(report, {});
  return log;
}

void number_without_seen(Interactions& log, std::span<std::vector<Pair>* const> lists,
                         bool all_ids) {
  if (log.seen.empty()) return;
  RenumberPairs renumber(log.users, log.items);
  for (std::vector<Pair>* const list : lists) {
    for (Pair& pair : *list) pair = renumber(pair);
  }
  std::size_t kept = 0;
  for (const Pair& pair : log.seen) {
    const auto now = all_ids ? std::optional(renumber(pair)) : renumber.known(pair);
    if (now) log.seen[kept++] = *now;
  }
  log.seen.resize(kept);
  Ids users = renumber.users.take(), items = renumber.items.take();
  log.users = std::move(users);
  log.items = std::move(items);
}

}  // namespace evenkeel::data
