// Grouping against a plain map, at several thread counts.
#include "rows/grouping.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/rng.h"
#include "base/threads.h"

namespace evenkeel::rows {
namespace {

// Groups rows with `threads`; weights, by entry, may be empty.
void group(Grouping& groups, const std::vector<Row>& rows, std::size_t width,
           const std::vector<float>& weights, Threads& threads) {
  const auto each = [&](std::size_t count, auto work) {
    threads.for_chunks(count, 1, [&](std::size_t k, std::size_t, int) { work(k); });
  };
  const std::size_t chunks = groups.begin(rows);
  each(chunks, [&](std::size_t chunk) { groups.count_chunk(chunk); });
  groups.prefix_sums();
  each(chunks, [&](std::size_t chunk) { groups.scatter_chunk(chunk); });
  each(groups.buckets(), [&](std::size_t bucket) { groups.collect_rows(bucket); });
  threads.for_chunks(weights.size(), 2 * width, [&](std::size_t begin, std::size_t end, int) {
    groups.set_weights(begin / width, std::span(weights).subspan(begin, end - begin));
  });
  each(groups.buckets(), [&](std::size_t bucket) { groups.sort_bucket(bucket); });
}

// The samples of each row, with their weights, as a plain loop finds them.
using Lists = std::map<Row, std::vector<std::pair<std::uint32_t, float>>>;

Lists lists_of(const Grouping& groups, bool weighted) {
  Lists lists;
  for (std::size_t bucket = 0; bucket < groups.buckets(); ++bucket) {
    for (std::size_t k = 0; k < groups.rows(bucket).size(); ++k) {
      const Row row = groups.rows(bucket)[k];
      EXPECT_TRUE(lists.empty() || row > lists.rbegin()->first);
      for (std::uint32_t at = groups.starts(bucket)[k]; at < groups.starts(bucket)[k + 1]; ++at) {
        lists[row].emplace_back(groups.samples()[at], weighted ? groups.weights()[at] : 0.0F);
      }
    }
  }
  return lists;
}

TEST(Grouping, ListsEveryEntryOfEveryRowInOrder) {
  const Random random(2, Purpose::kMarket);
  for (const int workers : {1, 2, 5}) {
    Threads threads(workers);
    for (const std::size_t width : {std::size_t{1}, std::size_t{7}}) {
      for (const bool weighted : {false, true}) {
        Grouping groups(1300, 70000, {.width = width, .weighted = weighted});
        for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{70000}}) {
          std::vector<Row> rows(size);
          std::vector<float> weights;
          Lists expected;
          for (std::size_t e = 0; e < size; ++e) {
            const double x = random.uniform(static_cast<std::uint32_t>(e), 1);
            rows[e] = static_cast<Row>(x * x * x * 1300);
            if (weighted) weights.push_back(static_cast<float>(e));
            expected[rows[e]].emplace_back(static_cast<std::uint32_t>(e / width),
                                           weighted ? weights[e] : 0.0F);
          }
          group(groups, rows, width, weights, threads);
          EXPECT_EQ(lists_of(groups, weighted), expected) << width << " of " << size;
        }
      }
    }
  }
}

TEST(Grouping, LeavesSingletonRowsOut) {
  const Random random(3, Purpose::kMarket);
  for (const int workers : {1, 3}) {
    Threads threads(workers);
    // Many entries a bucket, a handful, and batches in which every row or none is alone.
    for (const std::size_t rows_in_table : {std::size_t{900}, std::size_t{60000}}) {
      Grouping groups(rows_in_table, 4000, {.separate_singletons = true});
      for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{4000}}) {
        for (const double power : {1.0, 4.0}) {
          std::vector<Row> rows(size);
          Lists all;
          for (std::size_t e = 0; e < size; ++e) {
            const double x = random.uniform(static_cast<std::uint32_t>(e), 1);
            rows[e] = static_cast<Row>(std::pow(x, power) * static_cast<double>(rows_in_table));
            all[rows[e]].emplace_back(static_cast<std::uint32_t>(e), 0.0F);
          }
          group(groups, rows, 1, {}, threads);
          for (std::size_t e = 0; e < size; ++e) {
            EXPECT_EQ(groups.is_singleton(e), all[rows[e]].size() == 1) << e;
          }
          std::erase_if(all, [](const auto& list) { return list.second.size() == 1; });
          EXPECT_EQ(lists_of(groups, false), all) << size << " of " << rows_in_table;
        }
      }
    }
  }
}

}  // namespace
}  // namespace evenkeel::rows
