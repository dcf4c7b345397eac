// In: made-up people and items. Out: heights as a plain sum over people finds them, and items that
// are brought down and keep their length.
#include "rank/usual_place.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "rank/new_rows.h"

namespace evenkeel::rank {
namespace {

Matrix random_rows(std::size_t rows, std::size_t dim, float lean, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  Matrix table(rows, dim);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t d = 0; d < dim; ++d) table.row(r)[d] = normal(random);
    table.row(r)[0] += lean;  // what most people like
  }
  return table;
}

double similarity(const float* a, const float* b, std::size_t dim, model::Score score) {
  double dot = 0, x = 0, y = 0;
  for (std::size_t d = 0; d < dim; ++d) {
    dot += double{a[d]} * double{b[d]};
    x += double{a[d]} * double{a[d]};
    y += double{b[d]} * double{b[d]};
  }
  return score == model::Score::kCosine ? dot / std::sqrt(x * y) : dot;
}

double plain_height(const Matrix& users, const float* item, model::Score score) {
  double sum = 0, squares = 0;
  for (std::size_t u = 0; u < users.rows(); ++u) {
    const double s = similarity(users.row(u), item, users.dim(), score);
    sum += s;
    squares += s * s;
  }
  const auto n = static_cast<double>(users.rows());
  return sum / n + 2 * std::sqrt(squares / n - sum / n * sum / n);
}

double length_of(const float* row, std::size_t dim) {
  return std::sqrt(similarity(row, row, dim, model::Score::kDot));
}

class UsualPlace : public testing::TestWithParam<model::Score> {};

TEST_P(UsualPlace, HeightIsMeanAndTwoDeviationsOverPeople) {
  const Matrix users = random_rows(300, 6, 0.5F, 1), items = random_rows(20, 6, 0.5F, 2);
  const Audience audience(users, GetParam());
  for (std::size_t i = 0; i < items.rows(); ++i) {
    EXPECT_NEAR(audience.height(items.row(i)), plain_height(users, items.row(i), GetParam()), 1e-5);
  }
}

TEST_P(UsualPlace, LowerBringsDownKeepsTheLengthAndNeverRaises) {
  const Matrix users = random_rows(300, 6, 3, 1);
  Matrix items = random_rows(20, 6, 3, 3);
  const Audience audience(users, GetParam());
  for (std::size_t i = 0; i < items.rows(); ++i) {
    float* item = items.row(i);
    const std::vector<float> before(item, item + 6);
    audience.lower(item, audience.height(item) + 1);
    EXPECT_EQ(std::vector<float>(item, item + 6), before);
    const double length = length_of(item, 6), most = 0.8 * audience.height(item);
    audience.lower(item, most);
    EXPECT_NEAR(plain_height(users, item, GetParam()), most, 1e-4);
    EXPECT_NEAR(length_of(item, 6), length, 1e-5);
  }
}

// A person's own items are folded in where trained ones as popular stand, not above them.
TEST_P(UsualPlace, NewItemsStandNoHigherThanTrainedOnesAsPopular) {
  model::Model model;
  model.score = GetParam();
  model.users = random_rows(200, 6, 0.5F, 4);
  model.items = random_rows(100, 6, 0.2F, 5);
  model.item_popularity.assign(100, 2);
  std::vector<Pair> pairs;
  for (Row i = 0; i < 20; ++i) {
    pairs.push_back({i, i});
    pairs.push_back({i, i + 20});
  }
  const data::Csr users_of = data::make_csr(pairs, 20, Side::kUser);
  Threads threads(2);
  const Matrix folded = fold_in_items(model, users_of, threads);
  const Audience audience(model.users, model.score);
  UsualValue::Known known;
  for (Row i = 0; i < 100; ++i) known.emplace_back(2, i);
  UsualValue heights(std::move(known), [&](Row i) { return audience.height(model.items.row(i)); });
  const double usual = heights.at(2);
  for (std::size_t i = 0; i < folded.rows(); ++i) {
    EXPECT_LE(audience.height(folded.row(i)), usual + 1e-4);
    EXPECT_GT(length_of(folded.row(i), 6), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Scores, UsualPlace,
                         testing::Values(model::Score::kCosine, model::Score::kDot));

TEST(UsualValue, AValueIsTheMeanOfThoseNearInPopularity) {
  UsualValue::Known known;
  for (Row n = 0; n < 200; ++n) known.emplace_back(n, n);
  std::size_t asked = 0;
  UsualValue value(std::move(known), [&](Row n) {
    ++asked;
    return static_cast<double>(n);
  });
  EXPECT_NEAR(value.at(100), 100, 1);
  EXPECT_NEAR(value.at(0), 31.5, 1e-9);
  EXPECT_NEAR(value.at(100000), 167.5, 1e-9);
  EXPECT_EQ(asked, 3 * 64U);  // those that count, once
  EXPECT_NEAR(value.at(0), 31.5, 1e-9);
  EXPECT_EQ(asked, 3 * 64U);
}

TEST(Audience, WhereAllPeopleAreOppositesNothingMoves) {
  Matrix users(2, 3);
  users.row(0)[0] = 1;
  users.row(1)[0] = -1;
  Matrix item(1, 3);
  item.row(0)[0] = 1;
  Audience(users, model::Score::kCosine).lower(item.row(0), 0.1);
  EXPECT_EQ(item.row(0)[0], 1.0F);
}

}  // namespace
}  // namespace evenkeel::rank
