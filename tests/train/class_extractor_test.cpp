// The extractor by classes: its counts, its gradients against the formula, its minimum against the
// sampled form, merged classes, and which kind settings ask for.
#include "train/class_extractor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>

#include "base/error.h"
#include "base/rng.h"
#include "train/class_objective.h"
#include "train/complete_settings.h"
#include "train/run.h"
#include "train/small_world.h"

namespace evenkeel::train {
namespace {

using testing::kGoOn;
using testing::same;
using testing::small_world;
using Words = std::vector<std::pair<std::string_view, std::string_view>>;

Settings settings_with(const Words& words) {
  Settings settings = run_settings();
  for (const auto& [name, value] : Words{{"dim", "16"}, {"batch", "128"}, {"negatives", "16"}}) {
    settings.set(name, value);
  }
  for (const auto& [name, value] : words) settings.set(name, value);
  resolve_defaults(settings);
  return settings;
}

double once(double) {
  return 1;
}
double by_user(double total) {
  return 1.0 / total;
}

ClassCounts counts_of(const data::Dataset& data, double (*weight)(double), int workers) {
  Threads threads(workers);
  return class_counts(data.items_of, loss::merged_classes(data.user_popularity),
                      loss::merged_classes(data.item_popularity), weight, threads);
}

TEST(ClassCounts, AreSharesOfThePairsBetweenClasses) {
  const data::Dataset data = small_world(120, 40);
  const loss::PopularityClasses users = loss::merged_classes(data.user_popularity);
  const loss::PopularityClasses items = loss::merged_classes(data.item_popularity);
  for (const auto weight : {once, by_user}) {
    std::vector<double> wanted(users.values.size() * items.values.size(), 0.0);
    double total = 0;
    for (Row u = 0; u < data.user_count(); ++u) {
      for (const Row i : data.items_of.row(u)) {
        const double each = weight(static_cast<double>(data.items_of.count(u)));
        wanted[users.of_row[u] * items.values.size() + items.of_row[i]] += each;
        total += each;
      }
    }
    const ClassCounts counts = counts_of(data, weight, 2);
    for (std::size_t a = 0; a < users.values.size(); ++a) {
      for (std::size_t b = 0; b < items.values.size(); ++b) {
        EXPECT_NEAR(double{counts.pairs.row(a)[b]}, wanted[a * items.values.size() + b] / total,
                    1e-7);
      }
    }
  }
}

TEST(ClassCounts, UsersWhoOwnEverythingTakeNoPart) {
  data::Ids users, items;
  for (const char* id : {"a", "b"}) users.insert(id);
  for (const char* id : {"x", "y", "z"}) items.insert(id);
  const data::Dataset data =
      data::make_dataset("full", users, items, {{0, 0}, {0, 1}, {0, 2}, {1, 0}}, {}, {});
  const ClassCounts counts = counts_of(data, once, 1);
  EXPECT_EQ(counts.pairs.row(0)[1], 1.0F);  // user b and item x, which two own
  EXPECT_EQ(std::accumulate(counts.pairs.row(1), counts.pairs.row(1) + 2, 0.0F), 0.0F);
}

Matrix random_units(std::size_t rows, std::size_t dim, std::uint64_t seed) {
  Matrix table(rows, dim);
  const Random random(seed, Purpose::kUserTable);
  for (std::size_t r = 0; r < rows; ++r) {
    double square = 0;
    for (std::size_t c = 0; c < dim; ++c) {
      table.row(r)[c] = static_cast<float>(
          random.normals(static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(c))[0]);
      square += double{table.row(r)[c]} * double{table.row(r)[c]};
    }
    for (float& value : table.values(r)) {
      value = static_cast<float>(double{value} / std::sqrt(square));
    }
  }
  return table;
}

// The formula of docs/methods.md as it stands, in double.
double plain_loss(const ClassCounts& counts, const std::vector<double>& users,
                  const std::vector<double>& items, std::size_t dim, double tau, double negatives) {
  const std::size_t classes = counts.items.size();
  double loss = 0;
  for (std::size_t a = 0; a < counts.pairs.rows(); ++a) {
    std::vector<double> x(classes, 0.0);
    double largest = -1e300;
    for (std::size_t b = 0; b < classes; ++b) {
      for (std::size_t c = 0; c < dim; ++c) x[b] += users[a * dim + c] * items[b * dim + c];
      largest = std::max(largest, x[b]);
    }
    double rest = 0;
    for (std::size_t b = 0; b < classes; ++b) {
      rest += negatives * double{counts.items[b]} * std::exp((x[b] - largest) / tau);
    }
    for (std::size_t b = 0; b < classes; ++b) {
      const double own = (x[b] - largest) / tau;
      loss += double{counts.pairs.row(a)[b]} * (std::log(std::exp(own) + rest) - own);
    }
  }
  return loss;
}

std::vector<double> doubles(const Matrix& table) {
  std::vector<double> values;
  for (std::size_t r = 0; r < table.rows(); ++r) {
    for (const float value : table.values(r)) values.push_back(double{value});
  }
  return values;
}

TEST(ClassObjective, LossAndGradientsAreThoseOfTheFormula) {
  const data::Dataset data = small_world(300, 60);
  const ClassCounts counts = counts_of(data, once, 1);
  const std::size_t dim = 5, classes = counts.items.size();
  const Matrix users = random_units(counts.pairs.rows(), dim, 1);
  const Matrix items = random_units(classes, dim, 2);
  for (const double tau : {0.3, 0.1, 0.01}) {
    Threads threads(2);
    ClassObjective objective(counts, dim, tau, 16, threads);
    ClassGradients gradients{Matrix(users.rows(), dim), Matrix(classes, dim)};
    const double loss = objective.evaluate(users, items, true, gradients);
    std::vector<double> u = doubles(users), v = doubles(items);
    EXPECT_NEAR(loss, plain_loss(counts, u, v, dim, tau, 16), 1e-5 * std::max(1.0, loss)) << tau;
    const auto check = [&](std::vector<double>& values, const Matrix& found) {
      for (std::size_t k = 0; k < values.size(); ++k) {
        const double step = 1e-5, before = values[k];
        values[k] = before + step;
        const double above = plain_loss(counts, u, v, dim, tau, 16);
        values[k] = before - step;
        const double below = plain_loss(counts, u, v, dim, tau, 16);
        values[k] = before;
        const double wanted = (above - below) / (2 * step);
        EXPECT_NEAR(double{found.row(k / dim)[k % dim]}, wanted, 1e-4 * std::max(1.0, 0.1 / tau));
      }
    };
    check(u, gradients.users);
    check(v, gradients.items);
  }
}

ExtractorTables trained(const data::Dataset& data, const Settings& settings, int workers) {
  Threads threads(workers);
  Observer silent;
  return train_extractor(data, settings, threads, silent, kGoOn);
}

TEST(ClassExtractor, IsTheSameAtAnyThreadCount) {
  const data::Dataset data = small_world(300, 80);
  const Settings settings = settings_with({{"extractor", "classes"}});
  const ExtractorTables one = trained(data, settings, 1);
  for (const int workers : {2, 5}) {
    const ExtractorTables other = trained(data, settings, workers);
    EXPECT_TRUE(same(one.users, other.users) && same(one.items, other.items)) << workers;
  }
  const ExtractorTables seeded =
      trained(data, settings_with({{"extractor", "classes"}, {"seed", "2"}}), 1);
  EXPECT_FALSE(same(one.users, seeded.users));
}

double loss_of(const data::Dataset& data, const ExtractorTables& tables) {
  const ClassCounts counts = counts_of(data, once, 1);
  Threads threads(1);
  ClassObjective objective(counts, tables.users.dim(), 0.1, 16, threads);
  ClassGradients gradients{tables.users, tables.items};
  const auto unit = [](Matrix table) {
    for (std::size_t r = 0; r < table.rows(); ++r) {
      double square = 0;
      for (const float value : table.values(r)) square += double{value} * double{value};
      for (float& value : table.values(r)) {
        value = static_cast<float>(double{value} / std::sqrt(square));
      }
    }
    return table;
  };
  return objective.evaluate(unit(tables.users), unit(tables.items), true, gradients);
}

TEST(ClassExtractor, ReachesALowerLossThanTheSampledOneAndTheSameFromEverySeed) {
  const data::Dataset data = small_world(400, 80);
  const double classes = loss_of(data, trained(data, settings_with({{"extractor", "classes"}}), 2));
  const double seeded =
      loss_of(data, trained(data, settings_with({{"extractor", "classes"}, {"seed", "7"}}), 2));
  const double sampled = loss_of(
      data,
      trained(data, settings_with({{"extractor", "sampled"}, {"extractor-epochs", "40"}}), 2));
  EXPECT_LT(classes, sampled);
  EXPECT_NEAR(classes, seeded, 0.002);
}

TEST(ClassExtractor, StopsWhenAsked) {
  const data::Dataset data = small_world(80, 40);
  const Settings settings = settings_with({{"extractor", "classes"}});
  const std::atomic<bool> stop{true};
  Threads threads(1);
  Observer silent;
  EXPECT_THROW(train_extractor(data, settings, threads, silent, stop), Error);
}

TEST(MergedClasses, BeyondTheMostCountsShareBinsOfEqualWidthInTheLogarithm) {
  std::vector<std::uint32_t> popularity;
  for (std::uint32_t count = 0; count < 60'000; ++count) popularity.push_back(count * 7 % 60'000);
  const loss::PopularityClasses classes = loss::merged_classes(popularity);
  EXPECT_LE(classes.values.size(), loss::kMostClasses);
  EXPECT_GT(classes.values.size(), loss::kMostClasses / 2);
  EXPECT_TRUE(std::is_sorted(classes.values.begin(), classes.values.end()));
  const double width = std::log(60'000.0) / static_cast<double>(loss::kMostClasses);
  for (std::size_t r = 0; r < popularity.size(); ++r) {
    const std::uint32_t least = classes.values[classes.of_row[r]];
    EXPECT_LE(least, popularity[r]);
    EXPECT_LE(std::log1p(popularity[r]) - std::log1p(least), width * 1.0001);
    if (popularity[r] < 100) {
      EXPECT_EQ(least, popularity[r]);
    }
  }
  const auto all = loss::classes_of_table(popularity, 60'000);
  const auto merged = loss::classes_of_table(popularity, classes.values.size());
  ASSERT_TRUE(all && merged);
  EXPECT_EQ(all->values.size(), 60'000U);
  EXPECT_EQ(merged->of_row, classes.of_row);
  EXPECT_FALSE(loss::classes_of_table(popularity, 17));
}

// The config.toml of a run that is older than the option sets every option of its time.
TEST(ExtractorKind, EpochsMeanSamplesAndNothingMeansClasses) {
  EXPECT_EQ(settings_with({}).text("extractor"), "classes");
  EXPECT_EQ(settings_with({{"extractor-epochs", "5"}}).text("extractor"), "sampled");
  EXPECT_EQ(settings_with({{"extractor", "sampled"}}).text("extractor"), "sampled");
  EXPECT_EQ(settings_with({{"extractor", "classes"}, {"extractor-epochs", "5"}}).text("extractor"),
            "classes");
}

TEST(ExtractorKind, EpochsOfTheOneWithoutEpochsAreRefused) {
  Settings settings = run_settings();
  settings.set("extractor", std::string_view("classes"));
  settings.set("extractor-epochs", std::string_view("7"));
  Observer silent;
  try {
    fit_model({}, small_world(40, 30), settings, silent, kGoOn);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kConfig);
    EXPECT_EQ(std::string(error.what()),
              "--extractor-epochs is 7, but --extractor classes has no epochs; leave it out or "
              "give --extractor sampled");
  }
}

}  // namespace
}  // namespace evenkeel::train
