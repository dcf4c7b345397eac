// In: points written down, and a small trained-looking model. Out: areas and crossings by hand.
#include "analysis/front.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analysis/front_detail.h"
#include "analysis/small_model.h"
#include "base/error.h"
#include "rank/correction.h"
#include "rank/dial.h"

namespace evenkeel::analysis {
namespace {

TEST(Front, AreaByHand) {
  const std::vector<FrontPoint> points{{0, 0.4, 0.1}, {0.5, 0.3, 0.2}, {1, 0.1, 0.25}};
  // 0.1 wide from 0.1 to 0.2, 0.2 wide from 0.2 to 0.25, then 0.1 wide at 0.25.
  EXPECT_NEAR(area_under(points), 0.1 * 0.15 + 0.2 * 0.225 + 0.1 * 0.25, 1e-12);
}

TEST(Front, DominatedPointsAddNothing) {
  const std::vector<FrontPoint> points{{0, 0.4, 0.1}, {0.5, 0.3, 0.2}, {1, 0.1, 0.25}};
  std::vector<FrontPoint> more = points;
  more.push_back({1.5, 0.05, 0.15});
  more.push_back({2, 0.3, 0.1});
  EXPECT_NEAR(area_under(more), area_under(points), 1e-12);
  EXPECT_EQ(area_under({}), 0);
}

TEST(Front, StrengthWhereItComesDown) {
  const std::vector<FrontPoint> points{{0, 0.40, 0.1}, {0.1, 0.41, 0.12}, {0.5, 0.31, 0.2}};
  EXPECT_NEAR(strength_at(points, 0.36).value(), 0.3, 1e-9);
  EXPECT_NEAR(strength_at(points, 0.41).value(), 0.1, 1e-9);
  EXPECT_NEAR(strength_at(points, 0.2).value(), 0.5, 1e-9) << "the strongest that was measured";
  EXPECT_FALSE(strength_at(points, 0.5));
}

// 20 items with 2, 11, ... 173 interactions; parts with c p^a pairs of each, nothing for a c of 0.
std::vector<Pair> pairs_of(double c, double a) {
  std::vector<Pair> pairs;
  for (Row item = 0; item < 20; ++item) {
    const long count = std::lround(c * std::pow(2.0 + 9 * item, a));
    for (Row user = 0; static_cast<long>(user) < count; ++user) pairs.push_back({user, item});
  }
  return pairs;
}

FrontAxes axes_of(const std::vector<data::NamedPairs>& tests, bool validates = true) {
  const std::vector<Pair> valid = validates ? pairs_of(0.1, 1) : std::vector<Pair>{};
  return front_axes(data::make_dataset("axes", testing::ids_of("u", 240), testing::ids_of("i", 20),
                                       pairs_of(1, 1), valid, tests));
}

void expect_axes(const FrontAxes& axes, const char* logged, const char* balanced, bool estimated) {
  EXPECT_EQ(axes.logged, logged);
  EXPECT_EQ(axes.balanced, balanced);
  EXPECT_EQ(axes.estimated, estimated);
}

TEST(Front, BalancedIsOnlyATestThatShowsItemsAlike) {
  const data::NamedPairs like{"like", pairs_of(0.1, 1)}, later{"later", pairs_of(0.4, 0.75)},
      rated{"rated", pairs_of(16, 0.35)}, even{"even", pairs_of(20, 0)};
  expect_axes(axes_of({like, even}), "like", "even", false);
  expect_axes(axes_of({even, later, rated, like}), "like", "even", false);
  expect_axes(axes_of({rated}), "valid", "rated", false);
  expect_axes(axes_of({even, rated}, false), "rated", "even", false);
  expect_axes(axes_of({like}), "like", "like", true);
  expect_axes(axes_of({like}, false), "like", "like", true);
  expect_axes(axes_of({later, like}), "like", "like", true);
  expect_axes(axes_of({}), "valid", "valid", true);
  EXPECT_THROW(axes_of({even}, false), Error) << "nothing is like the log";
  EXPECT_THROW(axes_of({}, false), Error);
}

// Thirty items of falling popularity, so that lists of 20 leave some out.
data::Dataset many_items() {
  std::vector<Pair> train, like, even;
  for (Row user = 0; user < 12; ++user) {
    for (Row item = 0; item < 30; item += 1 + (user * 7 + item) % 5) {
      if (item < 3 * (12 - user)) train.push_back({user, item});
    }
    like.push_back({user, (user + 1) % 4});
    even.push_back({user, 29 - user});
  }
  std::erase_if(like, [&](const Pair& pair) {
    return std::find(train.begin(), train.end(), pair) != train.end();
  });
  return data::make_dataset("many", testing::ids_of("u", 12), testing::ids_of("i", 30), train, {},
                            {{"even", even}, {"like", like}});
}

model::Model wavy_model(const data::Dataset& data, model::Score score) {
  Matrix users(data.user_count(), 3), items(data.item_count(), 3);
  const auto fill = [](Matrix& rows, double step) {
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      for (std::size_t c = 0; c < 3; ++c) {
        rows.row(r)[c] = static_cast<float>(std::sin(step * static_cast<double>(3 * r + c + 1)));
      }
    }
  };
  fill(users, 0.7);
  fill(items, 1.3);
  model::Model model = testing::model_of(std::move(users), std::move(items), data, score);
  model.temperature = 0.2;
  return model;
}

TEST(FrontDetail, EveryStopIsAnEvaluationAtItsStrength) {
  const data::Dataset data = many_items();
  Threads threads(1);
  model::Model model = wavy_model(data, model::Score::kCosine);
  model.debias = 0.37;
  const FrontAxes axes = front_axes(data);
  const FrontDetail detail = trace_front_detail(model, data, axes, {}, threads);
  ASSERT_EQ(detail.stops.size(), rank::dial_strengths().size() + 1) << "with the model's own";
  EXPECT_EQ(detail.list_users, users_with_items(model).size());
  std::vector<FrontPoint> points;
  for (const FrontStop& stop : detail.stops) {
    const rank::ModelRanking ranking(model, stop.point.debias, threads);
    const eval::Evaluation even =
        eval::evaluate_part(ranking.view(), data, front_part(data, "even"), {}, threads);
    EXPECT_EQ(stop.point.balanced, even.overall.recall);
    EXPECT_EQ(stop.balanced_items[2], even.item_groups[2].recall);
    points.push_back(stop.point);
  }
  EXPECT_EQ(detail.area, area_under(points));
  EXPECT_GT(detail.stops.back().exposure.tail_share, detail.stops.front().exposure.tail_share);
}

TEST(FrontDetail, PoolsGiveTheListsOfEveryStrength) {
  const data::Dataset data = many_items();
  Threads threads(1);
  for (const model::Score score : {model::Score::kCosine, model::Score::kDot}) {
    const model::Model model = wavy_model(data, score);
    const std::vector<Row> users{0, 5, 11};
    const FrontDetail detail = trace_front_detail(model, data, front_axes(data), users, threads);
    for (const FrontStop& stop : detail.stops) {
      const double debias = stop.point.debias;
      const rank::ModelRanking ranking(model, debias, threads);
      eval::Ranker ranker;
      ranker.prepare(ranking.view(), threads);
      ranker.rank(users, &model.known, rank::kDialK, threads,
                  [&](std::size_t place, std::span<const kernels::Ranked> list, int) {
                    const ListPool& pool = detail.pools[place];
                    std::vector<std::pair<double, Row>> order;
                    for (std::size_t n = 0; n < pool.items.size(); ++n) {
                      const double count = model.item_popularity[pool.items[n]];
                      order.emplace_back(-(pool.scores[n] - debias * std::log(count + 1)),
                                         pool.items[n]);
                    }
                    std::sort(order.begin(), order.end());
                    ASSERT_GE(order.size(), list.size());
                    for (std::size_t n = 0; n < list.size(); ++n) {
                      EXPECT_EQ(order[n].second, list[n].item) << debias << " place " << n;
                    }
                  });
    }
  }
}

// Without a balanced test both axes are of one test: its balanced figure is the goal's estimate.
TEST(FrontDetail, ABiasedTestIsMeasuredUnderBothGoals) {
  const data::Dataset data = many_items();
  Threads threads(1);
  model::Model model = wavy_model(data, model::Score::kCosine);
  model.held = data.tests;
  const FrontAxes axes{"like", "like", true};
  const Front front = trace_front(model, axes, {}, threads);
  const FrontDetail detail = trace_front_detail(model, data, axes, {}, threads);
  for (const FrontPoint& point : front.points) {
    const rank::ModelRanking ranking(model, point.debias, threads);
    const eval::Evaluation like =
        eval::evaluate_part(ranking.view(), data, front_part(data, "like"), {}, threads);
    EXPECT_EQ(point.logged, like.overall.recall);
    EXPECT_EQ(point.balanced, like.balanced);
    EXPECT_EQ(point.balanced_ndcg, 0);
  }
  EXPECT_EQ(detail.area, front.area);
}

}  // namespace
}  // namespace evenkeel::analysis
