// Grouping against a plain map, at several thread counts.
#include "train/grouping.h"

#include <gtest/gtest.h>

#include <map>

#include "base/rng.h"
#include "base/threads.h"

namespace evenkeel {
namespace {

TEST(Grouping, ListsEveryEntryOfEveryRowInOrder) {
  const Random random(2, Purpose::kMarket);
  for (const int workers : {1, 2, 5}) {
    Threads threads(workers);
    Grouping groups(1300, 70000, {});
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{70000}}) {
      std::vector<Row> rows(size);
      std::map<Row, std::vector<std::uint32_t>> expected;
      for (std::size_t e = 0; e < size; ++e) {
        const double x = random.uniform(static_cast<std::uint32_t>(e), 1);
        rows[e] = static_cast<Row>(x * x * x * 1300);
        expected[rows[e]].push_back(static_cast<std::uint32_t>(e));
      }
      const std::size_t chunks = groups.begin(rows);
      const auto each = [&](std::size_t count, auto work) {
        threads.for_chunks(count, 1, [&](std::size_t k, std::size_t, int) { work(k); });
      };
      each(chunks, [&](std::size_t chunk) { groups.count(chunk); });
      groups.open();
      each(chunks, [&](std::size_t chunk) { groups.place(chunk); });
      each(groups.buckets(), [&](std::size_t bucket) { groups.list(bucket); });
      each(groups.buckets(), [&](std::size_t bucket) { groups.order(bucket); });
      std::size_t distinct = 0;
      Row last = 0;
      for (std::size_t bucket = 0; bucket < groups.buckets(); ++bucket) {
        for (std::size_t k = 0; k < groups.rows(bucket).size(); ++k) {
          const Row row = groups.rows(bucket)[k];
          EXPECT_TRUE(distinct == 0 || row > last);
          last = row;
          ++distinct;
          const auto entries = groups.samples(bucket, k);
          EXPECT_EQ(std::vector<std::uint32_t>(entries.begin(), entries.end()), expected.at(row));
        }
      }
      EXPECT_EQ(distinct, expected.size());
    }
  }
}

}  // namespace
}  // namespace evenkeel
