// In: random vectors and popularity. Out: corrected rankings equal to the formula in double, for
// both scores; a strength of 0 changes no bit; exports rank as lists do.
#include "rank/correction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "base/rng.h"
#include "model/small_model.h"
#include "rank/recommend.h"

namespace evenkeel::rank {
namespace {

constexpr std::size_t kUsers = 40, kItems = 90, kDim = 7;

model::Model random_model(model::Score score) {
  const Random random(5, Purpose::kAnalysis);
  model::Model model;
  model.users = Matrix(kUsers, kDim);
  model.items = Matrix(kItems, kDim);
  const auto fill = [&](Matrix& table, std::uint32_t first) {
    for (std::size_t r = 0; r < table.rows(); ++r) {
      for (std::size_t c = 0; c < kDim; ++c) {
        table.row(r)[c] = static_cast<float>(random.normals(static_cast<std::uint32_t>(r) + first,
                                                            static_cast<std::uint32_t>(c))[0]);
      }
    }
  };
  fill(model.users, 0);
  fill(model.items, 1000);
  model.score = score;
  model.temperature = 0.2;
  for (std::size_t u = 0; u < kUsers; ++u) model.user_ids.insert("u" + std::to_string(u));
  for (std::size_t i = 0; i < kItems; ++i) model.item_ids.insert("i" + std::to_string(i));
  model.known.offsets.assign(kUsers + 1, 0);
  model.user_popularity.assign(kUsers, 0);
  for (std::size_t i = 0; i < kItems; ++i) {
    model.item_popularity.push_back(static_cast<std::uint32_t>(i * i % 301));
  }
  return model;
}

double plain_score(const model::Model& model, Row user, Row item, double g) {
  const auto u = model.users.values(user), i = model.items.values(item);
  double dot = 0, uu = 0, ii = 0;
  for (std::size_t c = 0; c < u.size(); ++c) {
    dot += double{u[c]} * double{i[c]};
    uu += double{u[c]} * double{u[c]};
    ii += double{i[c]} * double{i[c]};
  }
  const double s = model.score == model::Score::kCosine ? dot / std::sqrt(uu * ii) : dot;
  const auto& p = model.item_popularity;
  const double mean = std::accumulate(p.begin(), p.end(), 0.0) / static_cast<double>(p.size());
  return s / model.temperature - g * std::log((p[item] + 1.0) / (mean + 1));
}

TEST(Correction, EqualsTheFormulaForBothScores) {
  Threads threads(2);
  for (const model::Score score : {model::Score::kCosine, model::Score::kDot}) {
    for (const double g : {0.3, 1.0, 4.0}) {
      model::Model model = random_model(score);
      model.debias = g;
      std::vector<Row> users(kUsers);
      std::iota(users.begin(), users.end(), Row{0});
      const auto lists = recommend(model, users, kItems, false, threads);
      for (const Row user : users) {
        ASSERT_EQ(lists[user].size(), kItems);
        for (std::size_t place = 0; place < kItems; ++place) {
          const double wanted = plain_score(model, user, lists[user][place].item, g);
          EXPECT_NEAR(lists[user][place].score, wanted, 2e-5 * std::max(1.0, std::abs(wanted)));
          const std::size_t before = place > 0 ? place - 1 : 0;
          EXPECT_GE(lists[user][before].score, lists[user][place].score);
        }
      }
    }
  }
}

TEST(Correction, ZeroChangesNoBit) {
  Threads threads(2);
  const model::Model model = random_model(model::Score::kCosine);
  const ModelRanking ranking(model, 0.0, threads);
  EXPECT_EQ(&ranking.view().users, &model.users) << "the model's own vectors rank";
  EXPECT_EQ(ranking.view().score, model::Score::kCosine);
  model::Model baked = model;
  bake_correction(baked, 0, threads);
  EXPECT_EQ(baked.users.dim(), model.users.dim());
}

TEST(Correction, BakedVectorsRankAsTheCorrectedModelDoes) {
  Threads threads(2);
  model::Model model = random_model(model::Score::kCosine);
  model.debias = 0.7;
  const std::vector<Row> users{0, 7, 39};
  const auto wanted = recommend(model, users, 10, false, threads);
  model::Model baked = model;
  bake_correction(baked, model.debias, threads);
  EXPECT_EQ(baked.users.dim(), kDim + 1);
  EXPECT_EQ(baked.score, model::Score::kDot);
  EXPECT_EQ(recommend(baked, users, 10, false, threads), wanted);
}

TEST(Correction, AStrengthThatIsNoneIsRefused) {
  EXPECT_THROW(check_debias(std::numeric_limits<double>::quiet_NaN()), Error);
  EXPECT_THROW(check_debias(-0.1), Error);
  EXPECT_THROW(check_debias(1e9), Error);
  EXPECT_THROW(parse_debias("0.2x"), Error);
  EXPECT_THROW(parse_debias(""), Error);
  EXPECT_THROW(parse_debias("nan"), Error);
  EXPECT_EQ(parse_debias("0.25"), 0.25);
}

TEST(Correction, EqualPopularityKeepsTheOrder) {
  Threads threads(1);
  model::Model model = random_model(model::Score::kCosine);
  model.item_popularity.assign(kItems, 3);
  EXPECT_TRUE(evenly_popular(model.item_popularity));
  const auto before = recommend(model, std::vector<Row>{4}, 20, false, threads);
  model.debias = 1;
  const auto after = recommend(model, std::vector<Row>{4}, 20, false, threads);
  for (std::size_t place = 0; place < 20; ++place) {
    EXPECT_EQ(before[0][place].item, after[0][place].item);
  }
}

TEST(Correction, AModelWithoutTemperatureSaysSo) {
  Threads threads(1);
  model::Model model =
      testing::small_model();  // as an earlier version left it: no T, no validation
  EXPECT_FALSE(temperature_of(model, threads));
  model.debias = 0.5;
  EXPECT_THROW(recommend(model, std::vector<Row>{0}, 2, true, threads), Error);
}

TEST(Correction, SimilarItemsMayBeCorrectedToo) {
  Threads threads(1);
  const model::Model model = random_model(model::Score::kCosine);
  const auto plain = similar_items(model, 3, kItems, 0, threads);
  const auto with = similar_items(model, 3, kItems, 2, threads);
  const auto mean = [&](const std::vector<kernels::Ranked>& list) {
    double sum = 0;
    for (std::size_t place = 0; place < 10; ++place) sum += model.item_popularity[list[place].item];
    return sum / 10;
  };
  EXPECT_LT(mean(with), mean(plain));
  EXPECT_THROW(similar_items(random_model(model::Score::kDot), 3, 5, 0.5, threads), Error);
}

}  // namespace
}  // namespace evenkeel::rank
