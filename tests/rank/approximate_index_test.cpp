// In: made-up models of both scores. Out: nearly the exact lists with true scores, filters obeyed,
// and a graph that is read again, unless it is stale or damaged.
#include "rank/approximate_index.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/rng.h"

namespace evenkeel::rank {
namespace {

// Items around 40 centres, as catalogues are.
model::Model clustered(model::Score score, std::uint64_t seed = 1) {
  constexpr std::size_t kUsers = 50, kItems = 4000, kDim = 16;
  const Random random(seed, Purpose::kMarket);
  const auto number = [&](std::uint32_t row, std::uint32_t column) {
    return static_cast<float>(random.word(row, column)) * 0x1p-31F - 1.0F;
  };
  model::Model model;
  model.score = score;
  model.temperature = 0.15;
  model.users = Matrix(kUsers, kDim);
  model.items = Matrix(kItems, kDim);
  for (std::uint32_t c = 0; c < kDim; ++c) {
    for (std::uint32_t u = 0; u < kUsers; ++u) model.users.row(u)[c] = number(u, 100 + c);
    for (std::uint32_t i = 0; i < kItems; ++i) {
      model.items.row(i)[c] = number(i % 40, 200 + c) + 0.5F * number(i, c);
    }
  }
  for (std::size_t u = 0; u < kUsers; ++u) model.user_ids.insert("u" + std::to_string(u));
  for (std::size_t i = 0; i < kItems; ++i) model.item_ids.insert("i" + std::to_string(i));
  model.known.offsets.assign(kUsers + 1, 0);
  model.user_popularity.assign(kUsers, 0);
  for (std::size_t i = 0; i < kItems; ++i) {
    model.item_popularity.push_back(static_cast<std::uint32_t>(10000 / (i + 1)));
  }
  return model;
}

ApproximateIndex::Options one_thread() {
  ApproximateIndex::Options options;
  options.threads = 1;
  return options;
}

// A model with the exact lists and an index that no file keeps.
struct Indexed {
  explicit Indexed(model::Score score) : model(clustered(score)), lists(model, threads) {}
  model::Model model;
  Threads threads{1};
  ModelLists lists;
  ApproximateIndex near{lists, "", one_thread()};
};

class Approximate : public ::testing::TestWithParam<model::Score> {
 protected:
  void SetUp() override {
    if (!ApproximateIndex::available()) GTEST_SKIP() << "built without hnswlib";
  }
};

TEST_P(Approximate, NearlyTheExactListsWithTrueScores) {
  const Indexed made(GetParam());
  const auto& [model, threads, lists, near] = made;
  EXPECT_GE(near.recall(), 0.98);
  EXPECT_TRUE(near.built());
  EXPECT_FALSE(near.kept());
  for (const double debias : {0.0, 0.3}) {
    std::size_t found = 0;
    for (Row u = 0; u < 50; ++u) {
      const std::vector<Row> masked{u, 1000 + u};
      const ListQuery query{model.users.values(u), 20, debias, masked, {}};
      const List exact = lists.ranking().rank(std::span(&query, 1)).front();
      const List list = near.rank(query);
      EXPECT_EQ(list.size(), exact.size());
      for (const auto& entry : list) {
        EXPECT_FALSE(std::binary_search(masked.begin(), masked.end(), entry.item));
        found += static_cast<std::size_t>(std::count(exact.begin(), exact.end(), entry));
      }
    }
    EXPECT_GE(found, 50U * 20U * 95U / 100U) << "strength " << debias;
  }
}

TEST_P(Approximate, LimitedQueriesAreExact) {
  const Indexed made(GetParam());
  const auto& [model, threads, lists, near] = made;
  const std::vector<Row> only{3, 5, 1999, 3999};
  const ListQuery some{model.users.values(1), 3, 0.2, {}, only};
  EXPECT_EQ(near.rank(some), lists.ranking().rank(std::span(&some, 1)).front());
  const ListQuery many{model.users.values(1), 3000, 0, {}, {}};
  EXPECT_EQ(near.rank(many), lists.ranking().rank(std::span(&many, 1)).front());
}

TEST_P(Approximate, TheGraphIsReadAgainUnlessItIsStale) {
  const auto file = std::filesystem::path(::testing::TempDir()) /
                    ("evenkeel_index_" + std::to_string(static_cast<int>(GetParam())) + "_" +
                     std::to_string(::getpid()) + ".hnsw");
  std::filesystem::remove(file);
  const model::Model model = clustered(GetParam()), other = clustered(GetParam(), 2);
  Threads threads(1);
  const ModelLists lists(model, threads), others(other, threads);
  const ApproximateIndex::Options options = one_thread();
  const ListQuery query{model.users.values(3), 20, 0, {}, {}};
  List first;
  {
    const ApproximateIndex made(lists, file.string(), options);
    EXPECT_TRUE(made.built());
    EXPECT_TRUE(made.kept());
    first = made.rank(query);
  }
  {
    const ApproximateIndex read(lists, file.string(), options);
    EXPECT_FALSE(read.built());
    EXPECT_EQ(read.rank(query), first);
  }
  EXPECT_TRUE(ApproximateIndex(others, file.string(), options).built()) << "another model";
  EXPECT_TRUE(ApproximateIndex(lists, file.string(), options).built()) << "and back";
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 7);
  EXPECT_TRUE(ApproximateIndex(lists, file.string(), options).built()) << "cut";
  std::ofstream(file) << "nothing";
  EXPECT_TRUE(ApproximateIndex(lists, file.string(), options).built()) << "no graph";
  std::filesystem::remove(file);
}

INSTANTIATE_TEST_SUITE_P(Scores, Approximate,
                         ::testing::Values(model::Score::kCosine, model::Score::kDot));

}  // namespace
}  // namespace evenkeel::rank
