// Cuts of the tables among ranks: whole buckets, all rows, and about as much work for each.
#include "encoder/owned_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "base/row_buckets.h"

namespace evenkeel::encoder {
namespace {

// Knows how many there are, and nothing else.
class Ranks final : public cluster::Cluster {
 public:
  explicit Ranks(int size) : size_(size) {}
  int rank() const override { return 0; }
  int size() const override { return size_; }
  void gather_all(void*, std::span<const std::size_t>) override {}
  void gather(void*, std::span<const std::size_t>) override {}
  void exchange(const void*, std::span<const std::size_t>, void*,
                std::span<const std::size_t>) override {}
  void broadcast(void*, std::size_t, int) override {}
  void sum(std::span<std::uint64_t>) override {}
  void barrier() override {}
  bool all_leave_within(double) override { return true; }
  [[noreturn]] void abort(int exit_code) override { std::_Exit(exit_code); }
  std::uint64_t received_bytes() const override { return 0; }

 private:
  int size_;
};

data::Ids ids_of(std::size_t count) {
  data::Ids ids;
  for (std::size_t n = 0; n < count; ++n) ids.insert(std::to_string(n));
  return ids;
}

// Earlier users have more pairs, and earlier items, too.
data::Dataset popular_in_front(std::size_t users, std::size_t items) {
  std::vector<Pair> pairs;
  for (Row user = 0; user < users; ++user) {
    for (Row k = 0; k <= (users - user) / 500; ++k) {
      pairs.push_back({user, static_cast<Row>((user * 7 + k * k * 31) % items * (k % 4) / 3)});
    }
  }
  return data::make_dataset("front", ids_of(users), ids_of(items), pairs, {}, {});
}

TEST(OwnedRows, ItemsMakeUpForUsers) {
  const data::Dataset data = popular_in_front(20000, 10000);
  Ranks ranks(3);
  const Division among{.ranks = ranks, .items = true, .positives = 2048, .drawn = 4096};
  const OwnedRows owned = owned_rows(data, {}, among);
  ASSERT_EQ(owned.users.size(), 4U);
  ASSERT_EQ(owned.items.size(), 4U);
  EXPECT_EQ(owned.items.front(), 0U);
  EXPECT_EQ(owned.items.back(), 10000U);
  const std::size_t bucket = std::size_t{1} << bucket_bits(10000);
  const double share = 2048.0 / static_cast<double>(data.interactions());
  const auto work = [&](std::span<const std::uint32_t> popularity, double drawn, std::size_t begin,
                        std::size_t end) {
    double sum = 0;
    for (std::size_t row = begin; row < end; ++row) {
      const double entries = popularity[row] * share + drawn;
      sum += entries + 1 - std::exp(-entries);
    }
    return sum;
  };
  const double drawn = 4096.0 / 10000;
  double all =
      work(data.user_popularity, 0, 0, 20000) + work(data.item_popularity, drawn, 0, 10000);
  double largest = 0;
  for (std::size_t begin = 0; begin < 10000; begin += bucket) {
    largest = std::max(largest, work(data.item_popularity, drawn, begin,
                                     std::min<std::size_t>(begin + bucket, 10000)));
  }
  for (std::size_t r = 0; r < 3; ++r) {
    const std::size_t begin = owned.items[r], end = owned.items[r + 1];
    EXPECT_LT(begin, end);
    EXPECT_TRUE(end % bucket == 0 || end == 10000U);
    const double own = work(data.user_popularity, 0, owned.users[r], owned.users[r + 1]) +
                       work(data.item_popularity, drawn, begin, end);
    EXPECT_NEAR(own, all / 3, largest) << "rank " << r;
  }
  EXPECT_LT(owned.items[1], 10000U / 3);  // even cuts would give the first rank more
}

TEST(OwnedRows, FewRowsOrOneProcessAreNotDivided) {
  const data::Dataset few = popular_in_front(100, 8);
  Ranks ranks(2);
  const OwnedRows owned = owned_rows(few, {}, {.ranks = ranks, .items = true, .positives = 64});
  EXPECT_TRUE(owned.users.empty());
  EXPECT_TRUE(owned.items.empty());
  const data::Dataset many = popular_in_front(20000, 10000);
  EXPECT_TRUE(owned_rows(many, {}, {.items = true, .positives = 64}).items.empty());
  EXPECT_TRUE(owned_rows(many, {}, {.ranks = ranks, .positives = 64}).items.empty());
}

TEST(OwnedRows, ManyRanksOfASmallTableStillCoverIt) {
  const data::Dataset data = popular_in_front(1000, 40);
  Ranks ranks(11);
  const Division among{.ranks = ranks, .items = true, .positives = 256, .drawn = 0};
  const std::vector<std::size_t> cuts = owned_rows(data, {}, among).items;
  ASSERT_EQ(cuts.size(), 12U);
  EXPECT_EQ(cuts.front(), 0U);
  EXPECT_EQ(cuts.back(), 40U);
  EXPECT_TRUE(std::is_sorted(cuts.begin(), cuts.end()));
}

}  // namespace
}  // namespace evenkeel::encoder
