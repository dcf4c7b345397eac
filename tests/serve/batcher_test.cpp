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

TEST(Batcher, EverybodyGetsTheirOwnLists) {
  const model::Model model = testing::made_up_model();
  Threads one(1);
  const rank::ModelLists lists(model, one);
  const Ranking ranking{&lists.ranking(), nullptr};
  std::vector<rank::List> expected;
  for (Row u = 0; u < 40; ++u) {
    const rank::ListQuery query{model.users.values(u), 1 + u % 7, 0.1 * (u % 3), {}, {}};
    expected.push_back(lists.ranking().rank(std::span(&query, 1)).front());
  }
  for (const int places : {1, 2, 3}) {
    Batcher batcher(places);
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (Row t = 0; t < 16; ++t) {
      threads.emplace_back([&, t] {
        for (Row n = 0; n < 1500; ++n) {
          const Row u = (t * 7 + n) % 40;
          const rank::ListQuery query{model.users.values(u), 1 + u % 7, 0.1 * (u % 3), {}, {}};
          if (batcher.rank(ranking, std::span(&query, 1)).front() != expected[u]) ++wrong;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(batcher.counts().queries, 16U * 1500U);
    EXPECT_LE(batcher.counts().passes, 16U * 1500U);
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
