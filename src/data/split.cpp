// In: a log and a seed. Out: which interaction goes to which part, by protocol.
#include "data/split.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/rng.h"

namespace evenkeel::data {
namespace {

using Rows = std::vector<std::uint64_t>;  // rows of the log

enum Stage : std::uint32_t { kCut = 0, kBalancedRows = 1, kBalancedItems = 2 };

// Every row has a random key of its own; sorting by it is the shuffle of this seed and stage.
class Keys {
 public:
  Keys(std::uint64_t seed, Stage stage) : random_(seed, Purpose::kSplit, stage) {}
  std::uint64_t operator()(std::uint64_t row) const {
    return random_.word64(static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(row >> 32));
  }

 private:
  Random random_;
};

void shuffle(std::span<std::uint64_t> rows, const Keys& keys) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> keyed(rows.size());
  for (std::size_t n = 0; n < rows.size(); ++n) keyed[n] = {keys(rows[n]), rows[n]};
  std::sort(keyed.begin(), keyed.end());
  for (std::size_t n = 0; n < rows.size(); ++n) rows[n] = keyed[n].second;
}

std::size_t share(std::size_t count, double fraction) {
  return static_cast<std::size_t>(std::llround(static_cast<double>(count) * fraction));
}

Rows all_rows(const Interactions& log) {
  Rows rows(log.pairs.size());
  std::iota(rows.begin(), rows.end(), std::uint64_t{0});
  return rows;
}

// Rows grouped by user or item, in log order inside; offsets[n] starts group n.
struct Groups {
  std::vector<std::uint64_t> offsets;
  Rows rows;
  std::span<std::uint64_t> of(std::size_t n) {
    return {rows.data() + offsets[n], rows.data() + offsets[n + 1]};
  }
  std::size_t size(std::size_t n) const { return offsets[n + 1] - offsets[n]; }
};

Groups grouped(const Interactions& log, std::size_t count, Row Pair::*side) {
  Groups groups;
  groups.offsets.assign(count + 1, 0);
  for (const Pair& pair : log.pairs) ++groups.offsets[pair.*side + 1];
  for (std::size_t n = 1; n <= count; ++n) groups.offsets[n] += groups.offsets[n - 1];
  groups.rows.resize(log.pairs.size());
  std::vector<std::uint64_t> next(groups.offsets.begin(), groups.offsets.end() - 1);
  for (std::uint64_t row = 0; row < log.pairs.size(); ++row) {
    groups.rows[next[log.pairs[row].*side]++] = row;
  }
  return groups;
}

// The first rows stay train (part 0); the last ones become the parts behind it.
void deal_tail(const Rows& rows, std::span<const std::size_t> sizes, SplitPlan& plan) {
  std::size_t at = rows.size() - std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  for (std::size_t part = 0; part < sizes.size(); ++part) {
    for (std::size_t n = 0; n < sizes[part]; ++n) {
      plan.part_of[rows[at++]] = static_cast<std::uint8_t>(part + 1);
    }
  }
}

// The same for rows in the order of their keys, without sorting them: a count by the first bits of
// the key finds the cells in which the parts begin, and only the rows of those cells are sorted.
// Takes rows that are in part 0.
void deal_by_key(const Keys& keys, std::span<const std::size_t> sizes, SplitPlan& plan) {
  constexpr int kShift = 48;
  std::vector<std::size_t> begins(std::size_t{1} << (64 - kShift));
  std::vector<std::uint8_t>& part_of = plan.part_of;
  std::size_t total = 0;
  for (std::uint64_t row = 0; row < part_of.size(); ++row) {
    if (part_of[row] != 0) continue;
    ++begins[keys(row) >> kShift];
    ++total;
  }
  std::size_t before = 0;
  for (std::size_t& begin : begins) before += std::exchange(begin, before);
  // first[p]: the place where part p + 1 begins; the last one is the end.
  std::vector<std::size_t> first{total -
                                 std::accumulate(sizes.begin(), sizes.end(), std::size_t{0})};
  for (const std::size_t size : sizes) first.push_back(first.back() + size);
  const auto part_at = [&](std::size_t place) {
    return static_cast<std::uint8_t>(std::upper_bound(first.begin(), first.end() - 1, place) -
                                     first.begin());
  };
  std::vector<std::pair<std::uint64_t, std::uint64_t>> open;  // keys and rows of divided cells
  for (std::uint64_t row = 0; row < part_of.size(); ++row) {
    if (part_of[row] != 0) continue;
    const std::uint64_t key = keys(row);
    const std::size_t cell = key >> kShift;
    const std::size_t end = cell + 1 < begins.size() ? begins[cell + 1] : total;
    const std::uint8_t part = part_at(begins[cell]);
    if (part_at(end - 1) != part) {
      open.emplace_back(key, row);
    } else {
      part_of[row] = part;
    }
  }
  std::sort(open.begin(), open.end());
  for (std::size_t n = 0; n < open.size(); ++n) {
    const std::size_t cell = open[n].first >> kShift;
    const bool next = n > 0 && open[n - 1].first >> kShift == cell;
    before = next ? before + 1 : begins[cell];
    part_of[open[n].second] = part_at(before);
  }
}

// How many interactions each item gives: the same quota for all, capped so that one stays behind,
// raised until `target` is met; at the last level a seeded choice of items gives one more.
std::vector<std::size_t> balanced_quotas(const Groups& items, std::size_t count, std::size_t target,
                                         std::uint64_t seed) {
  std::vector<std::size_t> most(count), quota(count, 0);
  for (std::size_t i = 0; i < count; ++i) most[i] = std::max<std::size_t>(items.size(i), 1) - 1;
  Rows open(count);  // items that can still give
  std::iota(open.begin(), open.end(), std::uint64_t{0});
  std::size_t given = 0;
  for (std::size_t level = 1;; ++level) {
    std::erase_if(open, [&](std::uint64_t item) { return most[item] < level; });
    if (open.empty() || given + open.size() > target) break;
    for (const std::uint64_t item : open) quota[item] = level;
    given += open.size();
  }
  shuffle(open, Keys(seed, kBalancedItems));
  for (std::size_t n = 0; n < open.size() && given < target; ++n, ++given) ++quota[open[n]];
  return quota;
}

}  // namespace

SplitPlan split_random(const Interactions& log, std::uint64_t seed) {
  return split_random(log, seed, 0.1);
}

SplitPlan split_random(const Interactions& log, std::uint64_t seed, double validation) {
  SplitPlan plan{{"train", "valid", "test"}, std::vector<std::uint8_t>(log.pairs.size())};
  const std::size_t test = share(log.pairs.size(), 0.1),
                    valid = share(log.pairs.size(), validation);
  if (test + valid > 0 && test + valid >= log.pairs.size()) {
    fail_config(
        "--validation is {}, and --split random tests on a tenth: nothing is left to train on; "
        "give a smaller share",
        validation);
  }
  deal_by_key(Keys(seed, kCut), std::array{valid, test}, plan);
  return plan;
}

SplitPlan split_balanced(const Interactions& log, std::uint64_t seed) {
  constexpr std::uint8_t kTestOod = 3;
  SplitPlan plan{{"train", "valid", "test_id", "test_ood"},
                 std::vector<std::uint8_t>(log.pairs.size())};
  Groups items = grouped(log, log.items.size(), &Pair::item);
  const std::size_t total = log.pairs.size();
  const auto quota = balanced_quotas(items, log.items.size(), share(total, 0.15), seed);
  const Keys keys(seed, kBalancedRows);
  for (std::size_t i = 0; i < log.items.size(); ++i) {
    const auto rows = items.of(i);
    shuffle(rows, keys);
    for (std::size_t n = 0; n < quota[i]; ++n) plan.part_of[rows[n]] = kTestOod;
  }
  deal_by_key(Keys(seed, kCut), std::array{share(total, 0.10), share(total, 0.15)}, plan);
  return plan;
}

SplitPlan split_temporal(const Interactions& log, std::uint64_t) {
  SplitPlan plan{{"train", "valid", "test"}, std::vector<std::uint8_t>(log.pairs.size())};
  Rows rows = all_rows(log);
  std::stable_sort(rows.begin(), rows.end(),
                   [&](std::uint64_t a, std::uint64_t b) { return log.times[a] < log.times[b]; });
  deal_tail(rows, std::array{share(rows.size(), 0.1), share(rows.size(), 0.2)}, plan);
  return plan;
}

SplitPlan split_leave_one_out(const Interactions& log, std::uint64_t seed) {
  SplitPlan plan{{"train", "valid", "test"}, std::vector<std::uint8_t>(log.pairs.size())};
  Groups users = grouped(log, log.users.size(), &Pair::user);
  const Keys keys(seed, kCut);
  for (std::size_t u = 0; u < log.users.size(); ++u) {
    const auto rows = users.of(u);
    if (rows.size() < 3) continue;
    if (log.times.empty()) {
      shuffle(rows, keys);
    } else {
      std::stable_sort(rows.begin(), rows.end(), [&](std::uint64_t a, std::uint64_t b) {
        return log.times[a] < log.times[b];
      });
    }
    plan.part_of[rows[rows.size() - 2]] = 1;
    plan.part_of[rows[rows.size() - 1]] = 2;
  }
  return plan;
}

SplitPlan split_none(const Interactions& log, std::uint64_t) {
  return {{"train", std::string(kValidName)}, std::vector<std::uint8_t>(log.pairs.size(), 0)};
}

}  // namespace evenkeel::data
