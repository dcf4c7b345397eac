// In: pairs. Out: the log they make.
#include "data/log_builder.h"

#include <algorithm>
#include <bit>
#include <utility>

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
  log.report = std::exchange(report, {});
  return log;
}

}  // namespace evenkeel::data
