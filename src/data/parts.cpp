// In: pairs and their parts. Out: parts grouped by user and numbered by first appearance.
#include "data/parts.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "data/renumber.h"

namespace evenkeel::data {
namespace {

void group_by_user(NamedPairs& list, std::size_t users) {
  std::vector<std::uint64_t> next(users + 1);
  for (const Pair& pair : list.pairs) ++next[pair.user + 1];
  for (std::size_t u = 1; u <= users; ++u) next[u] += next[u - 1];
  std::vector<Pair> pairs(list.pairs.size());
  std::vector<float> weights(list.weights.size());
  for (std::size_t n = 0; n < pairs.size(); ++n) {
    const std::uint64_t place = next[list.pairs[n].user]++;
    pairs[place] = list.pairs[n];
    if (!weights.empty()) weights[place] = list.weights[n];
  }
  list.pairs = std::move(pairs);
  list.weights = std::move(weights);
}

bool by_user_and_item(const Pair& a, const Pair& b) {
  return std::pair(a.user, a.item) < std::pair(b.user, b.item);
}

}  // namespace

Parts numbered(std::string name, const Ids& users, const Ids& items, std::vector<NamedPairs> lists,
               std::span<const Pair> seen) {
  EVENKEEL_CHECK(lists.size() >= 2);
  Parts parts;
  parts.name = std::move(name);
  RenumberPairs renumber(users, items);
  for (NamedPairs& list : lists) {
    group_by_user(list, users.size());
    for (Pair& pair : list.pairs) pair = renumber(pair);
  }
  parts.train = std::move(lists[0].pairs);
  parts.valid = std::move(lists[1].pairs);
  parts.train_weights = std::move(lists[0].weights);
  parts.valid_weights = std::move(lists[1].weights);
  parts.tests.assign(std::make_move_iterator(lists.begin() + 2),
                     std::make_move_iterator(lists.end()));
  EVENKEEL_CHECK(std::is_sorted(parts.tests.begin(), parts.tests.end(),
                                [](const auto& a, const auto& b) { return a.name < b.name; }));
  for (const Pair& pair : seen) {
    if (const auto row = renumber.known(pair)) parts.seen.push_back(*row);
  }
  std::sort(parts.seen.begin(), parts.seen.end(), by_user_and_item);
  parts.seen.erase(std::unique(parts.seen.begin(), parts.seen.end()), parts.seen.end());
  parts.users = renumber.users.take();
  parts.items = renumber.items.take();
  return parts;
}

Parts cut(std::string name, const Interactions& log, const SplitPlan& plan) {
  EVENKEEL_CHECK(plan.part_of.size() == log.pairs.size());
  std::vector<NamedPairs> lists;
  for (const std::string& part : plan.names) lists.push_back({part, {}, {}});
  for (std::size_t n = 0; n < log.pairs.size(); ++n) {
    NamedPairs& list = lists[plan.part_of[n]];
    list.pairs.push_back(log.pairs[n]);
    if (!log.weights.empty()) list.weights.push_back(log.weights[n]);
  }
  return numbered(std::move(name), log.users, log.items, std::move(lists), log.seen);
}

Dataset make_dataset(Parts parts) {
  Dataset data =
      make_dataset(std::move(parts.name), std::move(parts.users), std::move(parts.items),
                   {std::move(parts.train), std::move(parts.train_weights)},
                   {std::move(parts.valid), std::move(parts.valid_weights)}, parts.tests);
  data.seen = seen_rows(parts.seen, data.user_count());
  return data;
}

}  // namespace evenkeel::data
