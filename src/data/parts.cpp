// In: pairs and their parts. Out: parts grouped by user and numbered by first appearance.
#include "data/parts.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

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

// Gives rows their numbers as they come by.
class Renumber {
 public:
  explicit Renumber(const Ids& old) : old_(old), rows_(old.size(), kNew) {
    fresh_.reserve(old.size());
  }
  Row operator()(Row row) {
    if (rows_[row] == kNew) rows_[row] = fresh_.insert(old_.text(row));
    return rows_[row];
  }
  Ids take() { return std::move(fresh_); }

 private:
  static constexpr Row kNew = ~Row{0};
  const Ids& old_;
  std::vector<Row> rows_;
  Ids fresh_;
};

}  // namespace

Parts numbered(std::string name, const Ids& users, const Ids& items,
               std::vector<NamedPairs> lists) {
  EVENKEEL_CHECK(lists.size() >= 2);
  Parts parts;
  parts.name = std::move(name);
  Renumber user_row(users), item_row(items);
  for (NamedPairs& list : lists) {
    group_by_user(list, users.size());
    for (Pair& pair : list.pairs) pair = {user_row(pair.user), item_row(pair.item)};
  }
  parts.train = std::move(lists[0].pairs);
  parts.valid = std::move(lists[1].pairs);
  parts.train_weights = std::move(lists[0].weights);
  parts.valid_weights = std::move(lists[1].weights);
  parts.tests.assign(std::make_move_iterator(lists.begin() + 2),
                     std::make_move_iterator(lists.end()));
  EVENKEEL_CHECK(std::is_sorted(parts.tests.begin(), parts.tests.end(),
                                [](const auto& a, const auto& b) { return a.name < b.name; }));
  parts.users = user_row.take();
  parts.items = item_row.take();
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
  return numbered(std::move(name), log.users, log.items, std::move(lists));
}

Dataset make_dataset(Parts parts) {
  return make_dataset(std::move(parts.name), std::move(parts.users), std::move(parts.items),
                      {std::move(parts.train), std::move(parts.train_weights)},
                      {std::move(parts.valid), std::move(parts.valid_weights)}, parts.tests);
}

}  // namespace evenkeel::data
