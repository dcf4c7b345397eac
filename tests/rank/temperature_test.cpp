// In: pairs drawn from softmax(s / T) with a known T. Out: that T, at any thread count and for
// cosines and dot products.
#include "rank/temperature.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.h"

namespace evenkeel::rank {
namespace {

constexpr std::size_t kDrawnUsers = 600, kDrawnItems = 300, kDrawnDim = 8;

Matrix random_table(std::size_t rows, std::uint32_t stream) {
  const Random random(11, Purpose::kAnalysis, stream);
  Matrix table(rows, kDrawnDim);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < kDrawnDim; ++c) {
      table.row(r)[c] = static_cast<float>(
          random.normals(static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(c))[0]);
    }
  }
  return table;
}

double score_of(const eval::VectorView& vectors, std::size_t user, std::size_t item) {
  double dot = 0, uu = 0, ii = 0;
  for (std::size_t c = 0; c < kDrawnDim; ++c) {
    const double u = vectors.users.row(user)[c], i = vectors.items.row(item)[c];
    dot += u * i;
    uu += u * u;
    ii += i * i;
  }
  return vectors.score == model::Score::kDot ? dot : dot / std::sqrt(uu * ii);
}

// Four validation items per user, drawn as the model with this temperature would.
data::Dataset drawn_data(const eval::VectorView& vectors, double temperature) {
  const Random random(12, Purpose::kAnalysis);
  std::vector<Pair> train, valid;
  data::Ids users, items;
  for (std::size_t u = 0; u < kDrawnUsers; ++u) users.insert("u" + std::to_string(u));
  for (std::size_t i = 0; i < kDrawnItems; ++i) items.insert("i" + std::to_string(i));
  for (std::size_t u = 0; u < kDrawnUsers; ++u) {
    train.push_back({static_cast<Row>(u), static_cast<Row>(u % kDrawnItems)});
    std::vector<double> weight(kDrawnItems);
    double total = 0;
    for (std::size_t i = 0; i < kDrawnItems; ++i) {
      weight[i] = i == u % kDrawnItems ? 0 : std::exp(score_of(vectors, u, i) / temperature);
      total += weight[i];
    }
    for (std::uint32_t draw = 0; draw < 4; ++draw) {
      double left = total * random.uniform(static_cast<std::uint32_t>(u), draw);
      std::size_t item = 0;
      while (item + 1 < kDrawnItems && left >= weight[item]) left -= weight[item++];
      valid.push_back({static_cast<Row>(u), static_cast<Row>(item)});
    }
  }
  return data::make_dataset("drawn", std::move(users), std::move(items), train, valid, {});
}

TEST(Temperature, IsFoundAgain) {
  const Matrix users = random_table(kDrawnUsers, 1), items = random_table(kDrawnItems, 2);
  Threads threads(2);
  for (const auto& [score, temperature] : {std::pair{model::Score::kCosine, 0.25},
                                           {model::Score::kCosine, 0.6},
                                           {model::Score::kDot, 2.5}}) {
    const eval::VectorView vectors{users, items, score};
    const data::Dataset data = drawn_data(vectors, temperature);
    const auto fitted = fit_temperature(vectors, data, data.valid, threads);
    ASSERT_TRUE(fitted);
    EXPECT_NEAR(*fitted / temperature, 1, 0.08) << "2,400 pairs";
  }
}

TEST(Temperature, IsTheSameAtAnyThreadCount) {
  const Matrix users = random_table(kDrawnUsers, 1), items = random_table(kDrawnItems, 2);
  const eval::VectorView vectors{users, items, model::Score::kCosine};
  const data::Dataset data = drawn_data(vectors, 0.3);
  Threads one(1), three(3);
  EXPECT_EQ(fit_temperature(vectors, data, data.valid, one),
            fit_temperature(vectors, data, data.valid, three));
}

TEST(Temperature, IsUnknownWhereNothingTellsIt) {
  const Matrix users = random_table(kDrawnUsers, 1), items = random_table(kDrawnItems, 2);
  const eval::VectorView vectors{users, items, model::Score::kCosine};
  data::Dataset data = drawn_data(vectors, 0.3);
  Threads threads(1);
  const Matrix nothing(kDrawnItems, kDrawnDim);
  EXPECT_FALSE(fit_temperature({users, nothing, model::Score::kCosine}, data, data.valid, threads));
  data.valid.items_of = data::make_csr({}, kDrawnUsers, Side::kUser);
  EXPECT_FALSE(fit_temperature(vectors, data, data.valid, threads));
}

}  // namespace
}  // namespace evenkeel::rank
