// The K-th score of every user against a sort of all its cosines.
#include "train/thresholds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "encoder/encoder.h"
#include "train/run.h"
#include "train/small_world.h"

namespace evenkeel::train {
namespace {

struct World {
  data::Dataset data = testing::small_world(50, 120);
  Matrix users = encoder::starting_table(50, 0, 8, 3, Side::kUser);
  Matrix items = encoder::starting_table(120, 0, 8, 3, Side::kItem);
  Settings settings = run_settings();

  std::vector<float> estimate(int workers, int epoch = 6) {
    Threads threads(workers);
    std::vector<float> out(50, 0.5F);
    Thresholds(data, settings, threads).estimate(epoch, users, items, threads, out);
    return out;
  }
  std::vector<double> scores(std::size_t user) const {  // of every item, descending
    std::vector<double> all;
    for (std::size_t i = 0; i < items.rows(); ++i) {
      double dot = 0, one = 0, two = 0;
      for (std::size_t c = 0; c < items.dim(); ++c) {
        const double a = double{users.row(user)[c]}, b = double{items.row(i)[c]};
        dot += a * b;
        one += a * a;
        two += b * b;
      }
      all.push_back(dot / std::sqrt(one * two));
    }
    std::sort(all.rbegin(), all.rend());
    return all;
  }
};

TEST(Thresholds, AreExactWhereEveryItemIsTaken) {
  World world;
  for (const std::int64_t k : {1, 7, 20, 120, 500}) {
    world.settings.set("top-k", Value(k));
    const auto found = world.estimate(2);
    for (std::size_t u = 0; u < 50; ++u) {
      const std::size_t place = std::min<std::size_t>(static_cast<std::size_t>(k), 120) - 1;
      EXPECT_NEAR(double{found[u]}, world.scores(u)[place], 1e-6) << u << " at " << k;
    }
  }
}

TEST(Thresholds, OfASampleAreScoresOfTheUserAndNoHigherThanTheTruth) {
  World world;
  world.settings.set("threshold-negatives", Value(std::int64_t{30}));
  world.settings.set("top-k", Value(std::int64_t{5}));
  const auto found = world.estimate(1);
  double gap = 0;
  for (std::size_t u = 0; u < 50; ++u) {
    const auto scores = world.scores(u);
    double nearest = 9;
    for (const double s : scores) nearest = std::min(nearest, std::abs(s - double{found[u]}));
    EXPECT_LT(nearest, 1e-6) << u;
    gap += scores[4] - double{found[u]};
  }
  EXPECT_GT(gap, 0);  // a sample knows fewer high scores (draws repeat, so not for each user)
}

TEST(Thresholds, DependOnEpochAndSeedAndNotOnThreads) {
  World world;
  world.settings.set("threshold-negatives", Value(std::int64_t{30}));
  const auto one = world.estimate(1);
  EXPECT_EQ(one, world.estimate(3));
  EXPECT_NE(one, world.estimate(1, 11));
  world.settings.set("seed", Value(std::int64_t{2}));
  EXPECT_NE(one, world.estimate(1));
}

TEST(Thresholds, AreRenewedEveryFewEpochs) {
  World world;
  world.settings.set("threshold-epochs", Value(std::int64_t{3}));
  const Threads threads(1);
  const Thresholds thresholds(world.data, world.settings, threads);
  std::vector<int> due;
  for (int epoch = 1; epoch <= 10; ++epoch) {
    if (thresholds.due(epoch)) due.push_back(epoch);
  }
  EXPECT_EQ(due, (std::vector<int>{4, 7, 10}));
}

TEST(Thresholds, OfUsersWithoutItemsStay) {
  World world;
  std::vector<Pair> pairs;
  for (Row i = 0; i < 120; ++i) pairs.push_back({0, i});  // one who has every item
  pairs.push_back({1, 4});
  world.data = data::make_dataset("few", world.data.users, world.data.items, pairs, {}, {});
  const auto found = world.estimate(1);
  EXPECT_NEAR(double{found[0]}, world.scores(0)[19], 1e-6);
  EXPECT_NEAR(double{found[1]}, world.scores(1)[19], 1e-6);
  EXPECT_EQ(found[2], 0.5F);
}

}  // namespace
}  // namespace evenkeel::train
