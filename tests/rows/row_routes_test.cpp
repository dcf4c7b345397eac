// What ranks want of each other: what one lists to send is what the other lists to get, in the same
// order, and is all that it works on and does not own.
#include "rows/row_routes.h"

#include <gtest/gtest.h>

#include <set>

#include "base/rng.h"

namespace evenkeel::rows {
namespace {

constexpr std::size_t kRows = 90, kEntries = 400;
// One rank owns nothing and works on nothing; borders lie inside a word of 32 rows.
const std::vector<std::size_t> kOwned{0, 24, 24, 72, kRows};
const std::vector<std::size_t> kCuts{0, 100, 100, 150, 250}, kMoreCuts{0, 20, 20, 100, 150};
constexpr std::size_t kRanks = 4;

std::vector<Row> some_rows() {
  std::vector<Row> rows;
  const Random random(3, Purpose::kMarket);
  Draws draws(random, 0);  // it keeps a reference
  // Few rows come often, as popular items do.
  for (std::size_t e = 0; e < kEntries; ++e) rows.push_back(draws.below(1 + draws.below(kRows)));
  return rows;
}

using Ids = std::vector<std::uint32_t>;

Ids ids_of(const RowRoutes::List& list, std::size_t rank) {
  return {list.ids.begin() + static_cast<std::ptrdiff_t>(list.cuts[rank]),
          list.ids.begin() + static_cast<std::ptrdiff_t>(list.cuts[rank + 1])};
}

// Entries that `rank` works on and `owner` owns.
Ids wanted(const std::vector<Row>& rows, std::span<const Worked> work, std::size_t rank,
           std::size_t owner) {
  Ids entries;
  for (const Worked& part : work) {
    const bool all = part.cuts.empty();
    const std::size_t begin = part.first + (all ? 0 : part.cuts[rank]);
    const std::size_t end = all ? rows.size() : part.first + part.cuts[rank + 1];
    for (std::size_t e = begin; e < end; ++e) {
      if (rows[e] >= kOwned[owner] && rows[e] < kOwned[owner + 1]) {
        entries.push_back(static_cast<std::uint32_t>(e));
      }
    }
  }
  return entries;
}

Ids rows_once(const std::vector<Row>& rows, const Ids& entries) {
  Ids once;
  std::set<Row> seen;
  for (const std::uint32_t e : entries) {
    if (seen.insert(rows[e]).second) once.push_back(rows[e]);
  }
  return once;
}

class RowRoutesOf : public ::testing::TestWithParam<std::vector<Worked>> {};

TEST_P(RowRoutesOf, AreTheSameAtBothEnds) {
  const std::vector<Row> rows = some_rows();
  const std::vector<Worked>& work = GetParam();
  std::vector<RowRoutes> routes;
  for (std::size_t r = 0; r < kRanks; ++r) routes.emplace_back(r, kOwned);
  for (const bool once : {false, true, true}) {  // and nothing is left from the time before
    for (RowRoutes& one : routes) once ? one.list_rows(rows, work) : one.list_entries(rows, work);
    std::size_t travelling = 0;
    for (std::size_t rank = 0; rank < kRanks; ++rank) {
      for (std::size_t owner = 0; owner < kRanks; ++owner) {
        Ids expected = rank == owner ? Ids() : wanted(rows, work, rank, owner);
        if (once) expected = rows_once(rows, expected);
        EXPECT_EQ(ids_of(routes[rank].wanted_here(), owner), expected) << rank << " " << owner;
        EXPECT_EQ(ids_of(routes[owner].wanted_there(), rank), expected) << rank << " " << owner;
        travelling += expected.size();
      }
    }
    EXPECT_EQ(travelling > 0, !work.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Work, RowRoutesOf,
                         ::testing::Values(std::vector<Worked>{{0, kCuts}},
                                           std::vector<Worked>{{0, kCuts}, {250, kMoreCuts}},
                                           std::vector<Worked>{Worked{}}, std::vector<Worked>{}));

TEST(RowRoutes, OwnersKnowTheirRows) {
  const RowRoutes routes(2, kOwned);
  EXPECT_FALSE(routes.owns(23));
  EXPECT_TRUE(routes.owns(24));
  EXPECT_TRUE(routes.owns(71));
  EXPECT_FALSE(routes.owns(72));
  EXPECT_FALSE(RowRoutes(1, kOwned).owns(24));
}

// Where nobody owns rows nothing travels.
TEST(RowRoutes, WithoutOwnersAreEmpty) {
  const std::vector<Row> rows = some_rows();
  const std::vector<Worked> all{Worked{}};
  RowRoutes routes(0, {});
  routes.list_entries(rows, all);
  routes.list_rows(rows, all);
  EXPECT_TRUE(routes.wanted_here().ids.empty());
  EXPECT_TRUE(routes.wanted_there().ids.empty());
}

}  // namespace
}  // namespace evenkeel::rows
