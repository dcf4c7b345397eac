// In: search spaces and figures. Out: candidates, rungs and the best.
#include "experiment/search.h"

#include <gtest/gtest.h>

#include <set>

namespace evenkeel::experiment {
namespace {

const SearchSpace kSpace{{"lr", {0.1, 0.2}}, {"tau", {1.0, 2.0, 3.0}}};

std::string texts(const std::vector<Options>& candidates) {
  std::string text;
  for (const Options& one : candidates) text += options_text(one) + "; ";
  return text;
}

TEST(Grid, HasEveryCombinationOnce) {
  EXPECT_EQ(texts(grid_of(kSpace)),
            "lr 0.1, tau 1.0; lr 0.1, tau 2.0; lr 0.1, tau 3.0; lr 0.2, tau 1.0; lr 0.2, tau 2.0; "
            "lr 0.2, tau 3.0; ");
  ASSERT_EQ(grid_of({}).size(), 1U);
  EXPECT_TRUE(grid_of({}).front().empty());
}

TEST(Draw, IsPartOfTheGridTheSameForASeed) {
  const std::string four = texts(draw_candidates(grid_of(kSpace), 4, 7));
  EXPECT_EQ(texts(draw_candidates(grid_of(kSpace), 4, 7)), four);
  std::set<std::string> draws;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<Options> drawn = draw_candidates(grid_of(kSpace), 2, seed);
    ASSERT_EQ(drawn.size(), 2U);
    EXPECT_NE(options_text(drawn[0]), options_text(drawn[1]));
    draws.insert(texts(drawn));
  }
  EXPECT_GT(draws.size(), 5U) << "every seed draws the same";
  EXPECT_EQ(draw_candidates(grid_of(kSpace), 100, 7).size(), 6U);
}

TEST(Rungs, GrowThreefoldAndEndWithAllEpochs) {
  EXPECT_EQ(halving_rungs(27, 4, 100), (std::vector<int>{4, 12, kAllEpochs}));
  EXPECT_EQ(halving_rungs(27, 4, 12), (std::vector<int>{4, kAllEpochs})) << "12 is all there is";
  EXPECT_EQ(halving_rungs(3, 4, 100), (std::vector<int>{4, kAllEpochs})) << "one is left";
  EXPECT_EQ(halving_rungs(1, 4, 100), (std::vector<int>{kAllEpochs}));
}

// A world where candidate i ends at `ends[i]` and starts slowly: after e epochs it has e / (e + 2).
TEST(Halving, FindsTheBestAndSpendsLittle) {
  const std::size_t count = 27;
  Search search(count, halving_rungs(count, 4, 100));
  std::size_t epochs = 0;
  std::vector<std::size_t> sizes;
  while (!search.done()) {
    const int stage = search.epochs() == kAllEpochs ? 100 : search.epochs();
    std::vector<std::optional<double>> figures;
    for (const std::size_t i : search.running()) {
      const double end = 1 - std::abs(static_cast<double>(i) - 17) / 30;
      figures.push_back(end * stage / (stage + 2));
    }
    epochs += search.running().size() * static_cast<std::size_t>(stage);
    sizes.push_back(search.running().size());
    search.report(figures);
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{27, 9, 3}));
  EXPECT_EQ(search.ranking().front().candidate, 17U);
  EXPECT_LT(epochs, count * 100 / 4);
}

TEST(Halving, FailuresComeLastAndNeverGoOn) {
  Search search(4, {4, kAllEpochs});
  search.report({std::nullopt, 0.1, 0.3, 0.2});
  EXPECT_EQ(search.running(), (std::vector<std::size_t>{2, 3}));
  search.report({std::nullopt, 0.25});
  std::string order;
  for (const Search::Place& place : search.ranking()) order += std::to_string(place.candidate);
  EXPECT_EQ(order, "3210") << "3 got furthest, 2 was best on the first rung, 0 failed there";
  EXPECT_FALSE(search.ranking().back().figure);
}

TEST(Halving, TheFirstCutKeepsSlowStarters) {
  Search search(6, {4, kAllEpochs}, {0, 0, 0, 1, 1, 1});
  search.report({0.5, 0.4, 0.3, 0.1, 0.2, 0.0});
  EXPECT_EQ(search.running(), (std::vector<std::size_t>{0, 4}));
  search.report({0.5, 0.6});
  EXPECT_EQ(search.ranking().front().candidate, 4U);
}

TEST(Halving, EndsWhenAllFail) {
  Search search(3, {4, kAllEpochs});
  search.report({std::nullopt, std::nullopt, std::nullopt});
  EXPECT_TRUE(search.done());
  EXPECT_FALSE(search.ranking().front().figure);
}

TEST(Search, EqualFiguresKeepTheirOrder) {
  Search search(3, {kAllEpochs});
  search.report({0.5, 0.7, 0.7});
  EXPECT_EQ(search.ranking()[0].candidate, 1U);
  EXPECT_EQ(search.ranking()[1].candidate, 2U);
}

}  // namespace
}  // namespace evenkeel::experiment
