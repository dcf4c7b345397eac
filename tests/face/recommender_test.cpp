// Lists, vectors, figures and files of a trained model through the public face.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "face/small_logs.h"

namespace evenkeel::testing {
namespace {

std::set<std::string> items_of(const std::string& user) {
  std::set<std::string> items;
  std::istringstream lines(small_csv());
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(user + ",")) items.insert(line.substr(line.find(',') + 1));
  }
  return items;
}

double cosine(const std::vector<float>& a, const std::vector<float>& b) {
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t d = 0; d < a.size(); ++d) {
    ab += a[d] * b[d];
    aa += a[d] * a[d];
    bb += b[d] * b[d];
  }
  return ab / std::sqrt(aa * bb);
}

TEST(FaceRecommender, ListsHoldTheUnseenItemsByScore) {
  const Recommender& model = small_recommender();
  ASSERT_EQ(model.score(), "cosine");
  const auto list = model.recommend("u3", {.k = 1000});
  const std::set<std::string> seen = items_of("u3");
  EXPECT_EQ(list.size(), model.items() - seen.size());
  for (std::size_t n = 0; n < list.size(); ++n) {
    EXPECT_FALSE(seen.contains(list[n].item)) << list[n].item;
    EXPECT_GE(list[n == 0 ? 0 : n - 1].score, list[n].score);
    EXPECT_NEAR(list[n].score, cosine(model.user_vector("u3"), model.item_vector(list[n].item)),
                1e-5);
  }
  EXPECT_EQ(model.recommend("u3", {.k = 1000, .include_seen = true}).size(), model.items());
  EXPECT_EQ(model.recommend("u3").size(), std::min<std::size_t>(20, list.size()));
}

TEST(FaceRecommender, ManyUsersGetTheListsOfEach) {
  const Recommender& model = small_recommender();
  const std::vector<std::string> users = model.user_ids();
  ASSERT_EQ(users.size(), model.users());
  const auto lists = model.recommend_many(users, {.k = 5, .threads = 2});
  ASSERT_EQ(lists.size(), users.size());
  for (std::size_t n = 0; n < users.size(); n += 7) {
    EXPECT_EQ(lists[n], model.recommend(users[n], {.k = 5}));
  }
  EXPECT_TRUE(model.recommend_many({}).empty());
}

TEST(FaceRecommender, UnknownUsersAreAnErrorOrGetPopularItems) {
  const Recommender& model = small_recommender();
  EXPECT_FALSE(model.knows_user("nobody"));
  EXPECT_TRUE(model.knows_user("u3"));
  expect_holds(failure_of(ErrorKind::kData, [&] { model.recommend("nobody"); }), {"'nobody'"});
  expect_holds(failure_of(ErrorKind::kData, [&] { model.item_vector("no"); }), {"item 'no'"});
  failure_of(ErrorKind::kConfig, [&] { model.recommend("u3", {.k = 0}); });
  const std::vector<std::string> users{"nobody", "u3"};
  const auto lists = model.recommend_many(users, {.k = 3, .popular_for_unknown = true});
  ASSERT_EQ(lists.size(), 2U);
  ASSERT_EQ(lists[0].size(), 3U);
  EXPECT_GE(lists[0][0].score, lists[0][2].score);
  EXPECT_GT(lists[0][2].score, 1);  // training counts
  EXPECT_EQ(lists[1], model.recommend("u3", {.k = 3}));
}

TEST(FaceRecommender, SimilarItemsAreNearByCosine) {
  const Recommender& model = small_recommender();
  const auto near = model.similar_items("i0", 100);
  EXPECT_EQ(near.size(), model.items() - 1);
  for (const ScoredItem& entry : near) {
    EXPECT_NE(entry.item, "i0");
    EXPECT_NEAR(entry.score, cosine(model.item_vector("i0"), model.item_vector(entry.item)), 1e-5);
  }
  EXPECT_GE(near.front().score, near.back().score);
  failure_of(ErrorKind::kData, [&] { model.similar_items("no"); });
}

TEST(FaceRecommender, ListsAndFiguresFollowTheCorrection) {
  const Recommender& model = small_recommender();
  EXPECT_EQ(model.debias(), 0);
  const std::vector<std::string> used{"i0", "i3"};
  EXPECT_EQ(model.recommend("u3", {.debias = 0}), model.recommend("u3"));
  EXPECT_NE(model.recommend("u3", {.debias = 1}), model.recommend("u3"));
  EXPECT_NE(model.recommend_for_items(used, {.debias = 1}), model.recommend_for_items(used));
  EXPECT_NE(model.similar_items("i0", 5, 1), model.similar_items("i0", 5));
  const auto popularity = [&](const MeasureOptions& options) {
    return model.evaluate(options).parts.at(0).figures.at("mean_popularity@5");
  };
  EXPECT_LT(popularity({.k = 5, .debias = 1}), popularity({.k = 5}));
  for (const double wrong : {-1.0, 1e9, std::nan("")}) {
    failure_of(ErrorKind::kConfig, [&] { model.recommend("u3", {.debias = wrong}); });
    failure_of(ErrorKind::kConfig, [&] { model.recommend_for_items(used, {.debias = wrong}); });
    failure_of(ErrorKind::kConfig, [&] { model.similar_items("i0", 5, wrong); });
    failure_of(ErrorKind::kConfig, [&] { model.evaluate({.debias = wrong}); });
  }
}

// What training chose holds for everybody, known or folded in.
TEST(FaceRecommender, TheModelsOwnStrengthHolds) {
  const Recommender model =
      train_recommender(log_of(small_csv()), quick_with({{"debias", "0.8"}})).recommender;
  EXPECT_EQ(model.debias(), 0.8);
  const std::vector<std::string> used{"i0", "i3"};
  EXPECT_EQ(model.recommend("u3"), model.recommend("u3", {.debias = 0.8}));
  EXPECT_EQ(model.recommend_for_items(used), model.recommend_for_items(used, {.debias = 0.8}));
  EXPECT_NE(model.recommend_for_items(used), model.recommend_for_items(used, {.debias = 0}));
}

TEST(FaceRecommender, ListsAndFiguresFollowAReranker) {
  const Recommender& model = small_recommender();
  const ListOptions full{.k = 5, .rerank = {"calibrated", 1.0}};
  EXPECT_EQ(model.recommend("u3", {.k = 5, .rerank = {"calibrated", 0.0}}),
            model.recommend("u3", {.k = 5}));
  EXPECT_EQ(model.recommend("u3", full).size(), 5U);
  EXPECT_EQ(model.recommend_many(std::vector<std::string>{"u3"}, full)[0],
            model.recommend("u3", full));
  const auto miscalibration = [&](const MeasureOptions& options) {
    return model.evaluate(options).parts.at(0).figures.at("miscalibration@5");
  };
  EXPECT_LT(miscalibration({.k = 5, .rerank = {"calibrated", 1.0}}), miscalibration({.k = 5}));
  failure_of(ErrorKind::kConfig, [&] { model.recommend("u3", {.rerank = {"calibratd"}}); });
  failure_of(ErrorKind::kConfig, [&] { model.evaluate({.rerank = {"xquad", 1e9}}); });
  failure_of(ErrorKind::kConfig, [&] { model.recommend("u3", {.rerank = {"none", 0.5}}); });
}

TEST(FaceRecommender, SomebodyNewGetsAListForTheItemsUsed) {
  const Recommender& model = small_recommender();
  const std::vector<std::string> used{"i0", "i3", "i0"}, unknown{"no"};
  const auto list = model.recommend_for_items(used, {.k = 1000});
  EXPECT_EQ(list.size(), model.items() - 2);
  for (const ScoredItem& entry : list) EXPECT_TRUE(entry.item != "i0" && entry.item != "i3");
  const auto all = model.recommend_for_items(used, {.k = 2, .include_seen = true});
  EXPECT_TRUE(all[0].item == "i0" || all[0].item == "i3") << all[0].item;
  failure_of(ErrorKind::kData, [&] { model.recommend_for_items(unknown); });
  failure_of(ErrorKind::kData, [&] { model.recommend_for_items({}); });
}

TEST(FaceRecommender, AFileGivesTheSameListsBack) {
  const Scratch scratch;
  small_recommender().save(scratch.path("m.safetensors"));
  const Recommender loaded = Recommender::load(scratch.path("m.safetensors"));
  EXPECT_EQ(loaded.dim(), 8U);
  EXPECT_EQ(loaded.item_ids(), small_recommender().item_ids());
  EXPECT_EQ(loaded.recommend("u9"), small_recommender().recommend("u9"));
  expect_holds(failure_of(ErrorKind::kData, [&] { Recommender::load(scratch.path()); }),
               {"no such model"});
  const std::string damaged = scratch.write("d.safetensors", "nothing");
  failure_of(ErrorKind::kData, [&] { Recommender::load(damaged); });
}

TEST(FaceRecommender, FiguresAreThoseOfTheTraining) {
  const Scratch scratch;
  const std::string csv = small_csv(), path = scratch.write("log.csv", csv);
  const TrainingResult trained = train_recommender(path, kQuick);
  const auto same = [&](const Measured& measured) {
    ASSERT_EQ(measured.parts.size(), 2U);
    for (const PartFigures& part : measured.parts) {
      const auto& expected = trained.parts[trained.parts[0].part == part.part ? 0 : 1];
      EXPECT_EQ(part.part, expected.part);
      EXPECT_EQ(part.users, expected.users);
      EXPECT_EQ(part.figures, expected.figures);
    }
  };
  same(trained.recommender.evaluate());
  same(trained.recommender.evaluate_on(path));
  const Measured at_five = trained.recommender.evaluate({.k = 5});
  EXPECT_TRUE(at_five.parts[0].figures.contains("recall@5"));
  failure_of(ErrorKind::kConfig, [&] { trained.recommender.evaluate({.k = 0}); });
  failure_of(ErrorKind::kConfig, [&] {
    trained.recommender.evaluate({.reading = {{"header", "yes"}}});
  });
  failure_of(ErrorKind::kConfig, [&] {
    trained.recommender.evaluate_on(path, {.reading = {{"heder", "yes"}}});
  });
}

TEST(FaceRecommender, ATestThatTrainedTheModelIsRefused) {
  const Recommender& model = small_recommender();
  const InteractionLog all = log_of(small_csv());
  expect_holds(failure_of(ErrorKind::kData, [&] { model.evaluate_on(all); }),
               {"trained the model"});
  const Measured flattered = model.evaluate_on(all, {.allow_overlap = true});
  ASSERT_EQ(flattered.notes.size(), 1U);
  expect_holds(flattered.notes[0], {"flatter"});
  InteractionLog fresh;
  for (const ScoredItem& entry : model.recommend("u3", {.k = 2})) fresh.add("u3", entry.item);
  fresh.add("stranger", "i0");
  const Measured measured = model.evaluate_on(fresh);
  ASSERT_EQ(measured.parts.size(), 1U);
  EXPECT_EQ(measured.parts[0].users, 1U);
  EXPECT_EQ(measured.parts[0].figures.at("ndcg@20"), 1.0);
  ASSERT_EQ(measured.notes.size(), 1U);
  expect_holds(measured.notes[0], {"1 users"});
}

}  // namespace
}  // namespace evenkeel::testing
