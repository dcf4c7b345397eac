// In: queries from many threads at once. Out: each thread's own lists, whoever made them.
#include "serve/batcher.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/error.h"
#include "rank/model_lists.h"
#include "serve/made_up_run.h"

namespace evenkeel::serve {
namespace {

// A pass must take long enough for others to line up: the places are then handed from one to the
// next, and who inherits one may find its job taken already.
TEST(Batcher, EverybodyGetsTheirOwnLists) {
  const Matrix users = testing::noise(40, 64, 1), items = testing::noise(20000, 64, 2);
  const std::vector<std::uint32_t> popularity(items.rows(), 1);
  Threads one(1);
  const rank::ExactIndex index(items, model::Score::kCosine, popularity, 0.1, one);
  const Ranking ranking{&index, nullptr};
  const auto query_of = [&](Row user) {
    return rank::ListQuery{users.values(user), 1 + user % 7, 0.1 * (user % 3), {}, {}};
  };
  std::vector<rank::List> expected;
  for (Row user = 0; user < users.rows(); ++user) {
    const rank::ListQuery query = query_of(user);
    expected.push_back(index.rank(std::span(&query, 1)).front());
  }
  constexpr Row kThreads = 12, kEach = 250;
  for (const int places : {1, 2, 3}) {
    Batcher batcher(places);
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (Row t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (Row n = 0; n < kEach; ++n) {
          const Row user = (t * 7 + n) % 40;
          const rank::ListQuery query = query_of(user);
          if (batcher.rank(ranking, std::span(&query, 1)).front() != expected[user]) ++wrong;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(batcher.counts().queries, std::uint64_t{kThreads} * kEach);
    EXPECT_LT(batcher.counts().passes, batcher.counts().queries) << "nobody shared a pass";
  }
}

TEST(Batcher, ErrorsReachWhoAsked) {
  const model::Model model = testing::made_up_model();
  Threads one(1);
  const rank::ModelLists lists(model, one);
  Batcher batcher(1);
  const rank::ListQuery wrong{model.users.values(0), 0, 0, {}, {}};
  const rank::ListQuery right{model.users.values(0), 3, 0, {}, {}};
  const Ranking ranking{&lists.ranking(), nullptr};
  EXPECT_THROW(batcher.rank(ranking, std::span(&wrong, 1)), Error);
  EXPECT_EQ(batcher.rank(ranking, std::span(&right, 1)).front().size(), 3U);
}

}  // namespace
}  // namespace evenkeel::serve
