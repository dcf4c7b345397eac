// In: models and tests that may hold what trained them. Out: never a trained pair counted unsaid,
// never a recommended pair that the log holds.
#include "eval/test_parts.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/rng.h"
#include "data/load.h"
#include "data/scratch.h"
#include "model/model_data.h"
#include "rank/recommend.h"

namespace evenkeel::testing {
namespace {

// A random model over a random log that is cut into train, validation and a test.
struct World {
  explicit World(std::uint32_t seed) {
    const Random random(seed, Purpose::kMarket, 5);
    Draws draws(random, 0);
    users = 5 + draws.below(30);
    items = 5 + draws.below(40);
    data::Ids user_ids, item_ids;
    for (std::uint32_t u = 0; u < users; ++u) user_ids.insert("u" + std::to_string(u));
    for (std::uint32_t i = 0; i < items; ++i) item_ids.insert("i" + std::to_string(i));
    std::vector<Pair> parts[3];
    for (Row u = 0; u < users; ++u) {
      for (Row i = 0; i < items; ++i) {
        const std::uint32_t die = draws.below(10);
        if (die < 5) {
          log.push_back({u, i});
          parts[die < 3 ? 0 : die - 2].push_back({u, i});
        }
      }
    }
    const data::Dataset data =
        data::make_dataset("world", user_ids, item_ids, parts[0], parts[1], {{"test", parts[2]}});
    model.users = Matrix(users, 4);
    model.items = Matrix(items, 4);
    for (Matrix* table : {&model.users, &model.items}) {
      for (std::size_t r = 0; r < table->rows(); ++r) {
        for (float& value : table->values(r)) {
          value = static_cast<float>(draws.below(2000)) / 1000 - 1;
        }
      }
    }
    model.user_ids = data.users;
    model.item_ids = data.items;
    model.known = data.items_of;
    model.held = {data.valid, data.tests[0]};
    model.user_popularity = data.user_popularity;
    model.item_popularity = data.item_popularity;
    model.origin.fingerprint = data::fingerprint(data);
  }
  std::uint32_t users = 0, items = 0;
  std::vector<Pair> log;
  model::Model model;
};

TEST(TestParts, NoRecommendedItemWasInTheLog) {
  Threads threads(2);
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    const World world(seed);
    std::vector<Row> rows;
    for (Row u = 0; u < world.users; ++u) rows.push_back(u);
    const auto lists = rank::recommend(world.model, rows, 10, true, threads);
    const data::Csr log = data::make_csr(world.log, world.users, Side::kUser);
    for (Row u = 0; u < world.users; ++u) {
      for (const kernels::Ranked& entry : lists[u])
        EXPECT_FALSE(log.contains(u, entry.item)) << seed;
      EXPECT_EQ(lists[u].size(), std::min<std::size_t>(10, world.items - log.count(u)));
    }
  }
}

TEST(TestParts, PopularListsLeaveOutWhatWasSeenToo) {
  const World world(3);
  const rank::PopularItems popular(world.model);
  for (Row u = 0; u < world.users; ++u) {
    const data::Csr seen = model::seen_items(world.model, std::span(&u, 1));
    for (const kernels::Ranked& entry : popular.list(10, seen.row(0))) {
      EXPECT_FALSE(seen.contains(0, entry.item));
    }
  }
}

// For random tests in the model's rows: refused exactly when a pair of them trained, and what is
// said counts them.
TEST(TestParts, ATrainedPairIsNeverCountedUnsaid) {
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    const World world(seed);
    const Random random(seed, Purpose::kMarket, 6);
    Draws draws(random, 1);
    std::vector<Pair> test;
    std::size_t trained = 0;
    for (Row u = 0; u < world.users; ++u) {
      for (Row i = 0; i < world.items; ++i) {
        const bool was = world.model.known.contains(u, i);
        if (draws.below(was ? 300 : 8) != 0) continue;
        test.push_back({u, i});
        trained += was ? 1 : 0;
      }
    }
    if (test.empty()) continue;
    const eval::TestParts parts =
        eval::parts_of_rows(world.model, data::make_csr(test, world.users, Side::kUser));
    if (trained == 0) {
      EXPECT_EQ(eval::check_overlap(parts, false), "");
      continue;
    }
    EXPECT_THROW(eval::check_overlap(parts, false), Error) << seed;
    const std::string said = eval::check_overlap(parts, true);
    EXPECT_NE(said.find(std::to_string(trained) + " of the " + std::to_string(test.size())),
              std::string::npos)
        << said;
  }
}

TEST(TestParts, OwnPartsAreThoseOfTheTraining) {
  Threads threads(1);
  const World world(9);
  const eval::TestParts parts = eval::own_parts(world.model);
  EXPECT_TRUE(parts.as_trained);
  EXPECT_EQ(eval::check_overlap(parts, false), "");
  const data::Dataset data = model::dataset_of(world.model);
  EXPECT_EQ(data::fingerprint(parts.data), world.model.origin.fingerprint);
  EXPECT_EQ(data::fingerprint(data), world.model.origin.fingerprint);
  model::Model bare = world.model;
  bare.held.clear();
  EXPECT_THROW(eval::own_parts(bare), Error);
}

// The run's own test, given as a file: the same masks, so the same figures.
TEST(TestParts, AWholeTestFileGivesTheFigureOfThePart) {
  Threads threads(1);
  const Scratch scratch;
  const World world(12);
  std::string text = "user,item\n";
  const data::Part& test = world.model.held[1];
  for (Row u = 0; u < world.users; ++u) {
    for (const Row i : test.items_of.row(u)) {
      text += "u" + std::to_string(u) + ",i" + std::to_string(i) + "\n";
    }
  }
  const eval::TestParts whole =
      eval::whole_test(world.model, scratch.write("test.csv", text), {}, threads);
  EXPECT_EQ(eval::check_overlap(whole, false), "");
  const eval::VectorView view{world.model.users, world.model.items, model::Score::kCosine};
  const eval::TestParts own = eval::own_parts(world.model);
  const auto left = eval::evaluate_parts(view, own.data, own.beside, {}, threads);
  const auto right = eval::evaluate_parts(view, whole.data, whole.beside, {}, threads);
  ASSERT_EQ(left.size(), 2U);
  ASSERT_EQ(right.size(), 1U);
  EXPECT_EQ(left[1].evaluation.overall.recall, right[0].evaluation.overall.recall);
  EXPECT_EQ(left[1].evaluation.overall.ndcg, right[0].evaluation.overall.ndcg);
}

TEST(TestParts, ValidationThatTrainedIsLeftOutAndSaid) {
  const World world(4);
  model::Model refit = world.model;
  refit.known = data::merge_into_train(model::dataset_of(world.model), false).items_of;
  refit.held.erase(refit.held.begin());
  refit.origin.fingerprint = data::fingerprint(model::dataset_of(refit));
  const eval::TestParts parts = eval::parts_of_data(refit, model::dataset_of(world.model));
  EXPECT_TRUE(parts.trained_validation);
  EXPECT_EQ(parts.data.valid.interactions(), 0U);
  EXPECT_EQ(eval::check_overlap(parts, false), "");
}

}  // namespace
}  // namespace evenkeel::testing
