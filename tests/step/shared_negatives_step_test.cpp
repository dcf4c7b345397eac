// A step with shared negatives against plain double loops: loss and every gradient, for tiles of
// one slice and of several, whole and not, with exponentials that need no maximum and with one,
// without and with a margin.
#include "step/shared_negatives_step.h"

#include <cmath>
#include <tuple>

#include "encoder/mf.h"
#include "loss/formulas.h"
#include "loss/margin.h"
#include "loss/registry.h"
#include "step/capture.h"
#include "train/run.h"
#include "train/small_world.h"

namespace evenkeel::testing {
namespace {

constexpr std::uint64_t kSeed = 7;
constexpr std::uint32_t kEpoch = 3;
constexpr std::size_t kNegatives = 37, kFirst = 1000;

using Dense = std::vector<std::vector<double>>;

// A table's rows, their norms, and the gradient of the rows divided by their norms.
struct PlainSide {
  explicit PlainSide(const Matrix& table)
      : units(table.rows()), norms(table.rows()), gradient(table.rows()) {
    for (std::size_t r = 0; r < table.rows(); ++r) {
      units[r].assign(table.values(r).begin(), table.values(r).end());
      for (const double x : units[r]) norms[r] += x * x;
      norms[r] = std::sqrt(norms[r]);
      for (double& x : units[r]) x /= norms[r];
      gradient[r].assign(units[r].size(), 0.0);
    }
  }
  void add(std::size_t r, double weight, const std::vector<double>& other) {
    for (std::size_t c = 0; c < other.size(); ++c) gradient[r][c] += weight * other[c];
  }
  // Through v -> v / |v|.
  double of_table(std::size_t r, std::size_t c) const {
    double along = 0;
    for (std::size_t k = 0; k < units[r].size(); ++k) along += units[r][k] * gradient[r][k];
    return (gradient[r][c] - along * units[r][c]) / norms[r];
  }
  Dense units;
  std::vector<double> norms;
  Dense gradient;
};

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += a[c] * b[c];
  return sum;
}

class SharedTiles : public ::testing::TestWithParam<std::tuple<std::size_t, double, double>> {};

TEST_P(SharedTiles, EqualThePlainSum) {
  const auto [tile, tau, margin] = GetParam();
  const data::Dataset data = small_world(60, 48);
  std::vector<Pair> positives;
  for (Row u = 0; u < 60; ++u) {
    for (const Row i : data.items_of.row(u)) positives.push_back({u, i});
  }
  positives.resize(230);
  encoder::Mf encoder(60, 48, 20, kSeed);
  PlainSide users(encoder.table(Side::kUser)), items(encoder.table(Side::kItem));
  Settings settings = train::run_settings();
  settings.set("tau", Value(tau));
  const loss::Margins margins = loss::Margins::constant(margin, 60, 48);
  const auto loss = loss::find_loss(margin > 0 ? "bc" : "softmax")
                        .make(settings, {data.user_popularity, data.item_popularity, &margins,
                                         &data.users_of, kSeed});
  EXPECT_EQ(loss->partition_loss() != nullptr, tau > 0.1);

  double expected = 0;
  for (std::size_t begin = 0; begin < positives.size(); begin += tile) {
    std::vector<Row> pool(kNegatives);
    const Random random(kSeed, Purpose::kPool, kEpoch);
    Draws draws(random, static_cast<std::uint32_t>(kFirst + begin));
    for (Row& item : pool) item = draws.below(48);
    for (std::size_t b = begin; b < std::min(positives.size(), begin + tile); ++b) {
      const auto [u, i] = positives[b];
      const auto positive = loss::formulas::with_margin(dot(users.units[u], items.units[i]), margin,
                                                        std::cos(margin), std::sin(margin));
      const double own = std::exp(positive.cosine / tau);
      std::vector<double> powers;
      double total = own;
      for (const Row j : pool) {
        const bool owned = data.items_of.contains(u, j);
        powers.push_back(owned ? 0 : std::exp(dot(users.units[u], items.units[j]) / tau));
        total += powers.back();
      }
      expected -= std::log(own / total);
      const auto pair = [&](Row item, double weight) {
        users.add(u, weight, items.units[item]);
        items.add(item, weight, users.units[u]);
      };
      pair(i, (own / total - 1) / tau * positive.derivative);
      for (std::size_t k = 0; k < pool.size(); ++k) pair(pool[k], powers[k] / total / tau);
    }
  }

  Threads threads(2);
  Capture user_gradients(encoder.table(Side::kUser)), item_gradients(encoder.table(Side::kItem));
  step::SharedNegativesStep step({encoder, user_gradients, item_gradients, threads}, *loss,
                                 data.items_of, kSeed, positives.size(), kNegatives, tile, 0);
  step.begin_epoch(kEpoch);
  const step::StepResult result = step.run(positives, kFirst);
  EXPECT_NEAR(result.loss / expected, 1.0, 1e-5);
  const auto n = static_cast<double>(positives.size());
  for (const bool user : {true, false}) {
    const PlainSide& side = user ? users : items;
    const Matrix& got = user ? user_gradients.gradients : item_gradients.gradients;
    for (std::size_t r = 0; r < got.rows(); ++r) {
      for (std::size_t c = 0; c < got.dim(); ++c) {
        ASSERT_NEAR(double{got.row(r)[c]}, side.of_table(r, c) / n, 1e-5)
            << (user ? "user " : "item ") << r << " column " << c;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, SharedTiles,
                         ::testing::Combine(::testing::Values(1, 24, 64, 100, 150, 230),
                                            ::testing::Values(0.2, 0.02),
                                            ::testing::Values(0.0, 0.4)));

}  // namespace
}  // namespace evenkeel::testing
