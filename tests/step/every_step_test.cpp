// Every kind of step against the plain loops of plain_step.h: the loss and every gradient. Shared
// tiles come in one slice and several, whole and not; temperatures with exponentials that need no
// maximum and with one; without and with a margin.
#include <gtest/gtest.h>

#include <memory>
#include <tuple>

#include "encoder/mf.h"
#include "loss/margin.h"
#include "loss/registry.h"
#include "sampler/negatives.h"
#include "step/capture.h"
#include "step/make_step.h"
#include "step/plain_step.h"
#include "train/run.h"
#include "train/small_world.h"

namespace evenkeel::testing {
namespace {

constexpr std::uint64_t kSeed = 7;
constexpr std::uint32_t kEpoch = 3;
constexpr std::size_t kUsers = 60, kItems = 48, kDim = 20;
constexpr std::size_t kNegatives = 37, kFirst = 1000, kSamples = 230;

using step::NegativesKind;
using Negatives = std::vector<std::vector<Row>>;

class World {
 public:
  World() : data(small_world(kUsers, kItems)), encoder(kUsers, kItems, kDim, kSeed) {
    for (Row u = 0; u < kUsers; ++u) {
      for (const Row i : data.items_of.row(u)) positives.push_back({u, i});
    }
    positives.resize(kSamples);
  }

  // The items of `pool` that the user of sample b does not have.
  std::vector<Row> unowned(std::size_t b, const std::vector<Row>& pool) const {
    std::vector<Row> left;
    for (const Row item : pool) {
      if (!data.items_of.contains(positives[b].user, item)) left.push_back(item);
    }
    return left;
  }

  Negatives own(std::size_t each) const {
    sampler::RandomNegatives random(data.items_of, kItems, kSeed);
    random.begin_epoch(kEpoch);
    auto scratch = random.scratch(each);
    Negatives all(kSamples, std::vector<Row>(each));
    for (std::size_t b = 0; b < kSamples; ++b) {
      random.draw(positives[b].user, kFirst + b, all[b], scratch);
    }
    return all;
  }
  Negatives shared(std::size_t tile) const {
    Negatives all;
    std::vector<Row> pool(kNegatives);
    for (std::size_t b = 0; b < kSamples; ++b) {
      if (b % tile == 0) {
        const Random random(kSeed, Purpose::kPool, kEpoch);
        Draws draws(random, static_cast<std::uint32_t>(kFirst + b));
        for (Row& item : pool) item = draws.below(kItems);
      }
      all.push_back(unowned(b, pool));
    }
    return all;
  }
  // The positives of the samples [k * each, (k + 1) * each) that b is one of.
  Negatives in_batch(std::size_t each) const {
    Negatives all;
    for (std::size_t b = 0; b < kSamples; ++b) {
      std::vector<Row> pool;
      for (std::size_t k = b / each * each; k < std::min(kSamples, (b / each + 1) * each); ++k) {
        pool.push_back(positives[k].item);
      }
      all.push_back(unowned(b, pool));
    }
    return all;
  }
  Negatives every_item() const {
    std::vector<Row> pool;
    for (Row i = 0; i < kItems; ++i) pool.push_back(i);
    Negatives all;
    for (std::size_t b = 0; b < kSamples; ++b) all.push_back(unowned(b, pool));
    return all;
  }

  data::Dataset data;
  encoder::Mf encoder;
  std::vector<Pair> positives;
};

// Runs the step whose negatives `options` name and compares it with the plain loops.
void expect_plain(World& world, const loss::Loss* loss, loss::BatchLoss* batch_loss,
                  step::StepOptions options, const PlainStep& expected) {
  options.batch = kSamples;
  options.seed = kSeed;
  Threads threads(2);
  Capture users(world.encoder.table(Side::kUser)), items(world.encoder.table(Side::kItem));
  const auto step = step::make_step({world.encoder, users, items, threads}, loss, batch_loss,
                                    world.data, options);
  step->begin_epoch(kEpoch);
  const step::StepResult result = step->run(world.positives, kFirst);
  EXPECT_EQ(result.samples, kSamples);
  EXPECT_NEAR(result.loss / expected.loss, 1.0, 1e-5);
  const auto compare = [](const Matrix& got, const PlainSide& side, const char* name) {
    for (std::size_t r = 0; r < got.rows(); ++r) {
      for (std::size_t c = 0; c < got.dim(); ++c) {
        ASSERT_NEAR(double{got.row(r)[c]}, side.of_table(r, c) / double{kSamples}, 1e-5)
            << name << " " << r << " column " << c;
      }
    }
  };
  compare(users.gradients, expected.users, "user");
  compare(items.gradients, expected.items, "item");
}

class Softmaxes : public ::testing::TestWithParam<std::tuple<std::size_t, double, double>> {
 protected:
  void expect(NegativesKind kind, const Negatives& negatives, std::size_t pool = 0) {
    const auto [tile, tau, margin] = GetParam();
    Settings settings = train::run_settings();
    settings.set("tau", Value(tau));
    const loss::Margins margins = loss::Margins::constant(margin, kUsers, kItems);
    const data::Dataset& data = world.data;
    const auto loss = loss::find_loss(margin > 0 ? "bc" : "softmax")
                          .make(settings, {data.user_popularity, data.item_popularity, &margins,
                                           &data.users_of, kSeed});
    EXPECT_EQ(loss->partition_loss() != nullptr, tau > 0.1);
    const PlainStep expected =
        plain_step(world.encoder.table(Side::kUser), world.encoder.table(Side::kItem), true,
                   world.positives, negatives, plain_softmax(tau, margin));
    expect_plain(world, loss.get(), nullptr,
                 {.pool = pool, .negatives_kind = kind, .negatives = kNegatives, .tile = tile},
                 expected);
  }
  World world;
};

TEST_P(Softmaxes, SharedNegatives) {
  expect(NegativesKind::kShared, world.shared(std::get<0>(GetParam())));
}

TEST_P(Softmaxes, InBatch) {
  expect(NegativesKind::kInBatch, world.in_batch(kSamples));
}

TEST_P(Softmaxes, SeveralBatchesInOneStep) {
  expect(NegativesKind::kInBatch, world.in_batch(64), 64);
}

TEST_P(Softmaxes, AllItems) {
  expect(NegativesKind::kAll, world.every_item());
}

TEST_P(Softmaxes, OwnNegatives) {
  expect(NegativesKind::kOwn, world.own(kNegatives));
}

INSTANTIATE_TEST_SUITE_P(Sizes, Softmaxes,
                         ::testing::Combine(::testing::Values(1, 24, 64, 100, 150, 230),
                                            ::testing::Values(0.2, 0.02),
                                            ::testing::Values(0.0, 0.4)));

TEST(EveryStep, OwnNegativesWithDotProducts) {
  World world;
  const auto loss = loss::find_loss("bpr").make(train::run_settings(), {});
  const PlainStep expected =
      plain_step(world.encoder.table(Side::kUser), world.encoder.table(Side::kItem), false,
                 world.positives, world.own(1), plain_bpr());
  expect_plain(world, loss.get(), nullptr, {.negatives = 1}, expected);
}

// BPR once more, as a loss that sees the batch whole.
class WholeBatchBpr final : public loss::BatchLoss {
 public:
  double compute(std::size_t samples, std::span<const Row>, const Matrix&, float* dots) override {
    double loss = 0;
    for (std::size_t b = 0; b < samples; ++b) {
      const PlainLoss sample = plain_bpr()(dots[2 * b], {dots[2 * b + 1]});
      loss += sample.loss;
      dots[2 * b] = static_cast<float>(sample.d_positive);
      dots[2 * b + 1] = static_cast<float>(sample.d_negatives.front());
    }
    return loss;
  }
};

TEST(EveryStep, LossesOfTheWholeBatch) {
  World world;
  WholeBatchBpr loss;
  const PlainStep expected =
      plain_step(world.encoder.table(Side::kUser), world.encoder.table(Side::kItem), false,
                 world.positives, world.own(1), plain_bpr());
  expect_plain(world, nullptr, &loss, {.negatives = 1}, expected);
}

}  // namespace
}  // namespace evenkeel::testing
