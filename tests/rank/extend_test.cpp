// In: a model of two clear tastes, new people and new items. Out: rows that fit their taste, and
// pairs that are seen from now on.
#include "rank/extend.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/model_data.h"
#include "rank/new_rows.h"

namespace evenkeel::rank {
namespace {

// Users and items 0-3 along one axis, 4-7 along the other, each with a little of its own.
model::Model two_tastes(model::Score score) {
  model::Model model;
  std::vector<Pair> pairs;
  model.users = Matrix(8, 4);
  model.items = Matrix(8, 4);
  for (std::size_t n = 0; n < 8; ++n) {
    for (Matrix* table : {&model.users, &model.items}) {
      table->row(n)[n / 4] = 2.0F;
      table->row(n)[2] = 0.1F * static_cast<float>(n % 4);
    }
    model.user_ids.insert("u" + std::to_string(n));
    model.item_ids.insert("i" + std::to_string(n));
    const auto row = static_cast<Row>(n);
    pairs.push_back({row, row});
    pairs.push_back({row, row / 4 * 4 + (row + 1) % 4});
  }
  model.known = data::make_csr(pairs, 8, Side::kUser);
  model.held.push_back({"test", data::make_csr(std::vector<Pair>{{0, 2}}, 8, Side::kUser)});
  model.user_popularity.assign(8, 2);
  model.item_popularity.assign(8, 2);
  model.score = score;
  return model;
}

data::Interactions news(std::initializer_list<std::pair<const char*, const char*>> rows) {
  data::Interactions log;
  for (const auto& [user, item] : rows) {
    const Row row = log.users.insert(user);
    log.pairs.push_back({row, log.items.insert(item)});
  }
  return log;
}

double cosine(const Matrix& a, Row r, const Matrix& b, Row s) {
  double dot = 0, x = 0, y = 0;
  for (std::size_t c = 0; c < a.dim(); ++c) {
    dot += double{a.row(r)[c]} * double{b.row(s)[c]};
    x += double{a.row(r)[c]} * double{a.row(r)[c]};
    y += double{b.row(s)[c]} * double{b.row(s)[c]};
  }
  return dot / std::sqrt(x * y);
}

TEST(Extend, NewRowsHaveTheTasteOfTheirNeighbours) {
  for (const model::Score score : {model::Score::kCosine, model::Score::kDot}) {
    model::Model model = two_tastes(score);
    const model::Model before = model;
    Threads threads(2);
    // An item of known users, a user of known items, a user and an item that only each other and
    // the new ones lead to, and a pair of strangers.
    const Extension extension = extend(model,
                                       news({{"u0", "new a"},
                                             {"u1", "new a"},
                                             {"nina", "i4"},
                                             {"nina", "i5"},
                                             {"otto", "new a"},
                                             {"nina", "new b"},
                                             {"stranger", "strange"},
                                             {"u0", "i0"},
                                             {"u0", "i2"}}),
                                       threads);
    EXPECT_EQ(extension.new_users, 3U);
    EXPECT_EQ(extension.new_items, 3U);
    EXPECT_EQ(extension.new_pairs, 7U);
    EXPECT_EQ(extension.known_pairs, 2U);  // one trained, one held out
    const auto user = [&](const char* id) { return *model.user_ids.find(id); };
    const auto item = [&](const char* id) { return *model.item_ids.find(id); };
    EXPECT_GT(cosine(model.items, item("new a"), model.items, 0), 0.8);
    EXPECT_GT(cosine(model.users, user("nina"), model.items, 4), 0.8);
    EXPECT_GT(cosine(model.users, user("otto"), model.items, 0), 0.8);
    EXPECT_GT(cosine(model.items, item("new b"), model.items, 4), 0.8);
    for (const float value : model.items.values(item("strange"))) EXPECT_TRUE(std::isfinite(value));
    for (Row n = 0; n < 8; ++n) {
      EXPECT_TRUE(std::ranges::equal(model.users.values(n), before.users.values(n)));
      EXPECT_TRUE(std::ranges::equal(model.items.values(n), before.items.values(n)));
    }
    const double length = cosine(model.items, item("new a"), model.items, item("new a"));
    EXPECT_NEAR(length, 1, 1e-6);
    double square = 0;
    for (const float value : model.items.values(item("new a"))) square += double{value * value};
    EXPECT_NEAR(std::sqrt(square), 2.0, 0.05) << "as long as its like";
  }
}

TEST(Extend, TheNewPairsAreSeen) {
  model::Model model = two_tastes(model::Score::kCosine);
  Threads threads(1);
  extend(model, news({{"u0", "new a"}, {"u0", "i3"}, {"u0", "i2"}, {"nina", "i4"}}), threads);
  const std::vector<Row> asked{0, *model.user_ids.find("nina")};
  const data::Csr seen = model::seen_items(model, asked);
  EXPECT_EQ(std::vector<Row>(seen.row(0).begin(), seen.row(0).end()),
            (std::vector<Row>{0, 1, 2, 3, *model.item_ids.find("new a")}));
  EXPECT_EQ(seen.count(1), 1U);
  EXPECT_FALSE(model.known.contains(0, 2)) << "a pair that is held out stays so";
  EXPECT_EQ(model.item_popularity[3], 3U);
  EXPECT_EQ(model.user_popularity[0], 4U);
  EXPECT_EQ(model.held[0].items_of.rows(), 9U);
}

TEST(Extend, ThreadCountChangesNothing) {
  data::Interactions log;
  for (Row n = 0; n < 200; ++n) {
    const Row user = log.users.insert("new" + std::to_string(n % 50));
    log.pairs.push_back({user, log.items.insert("i" + std::to_string(n % 12))});
  }
  model::Model one = two_tastes(model::Score::kCosine), three = one;
  Threads alone(1), team(3);
  extend(one, log, alone);
  extend(three, log, team);
  EXPECT_TRUE(
      std::equal(one.users.data(), one.users.data() + one.users.size(), three.users.data()));
  EXPECT_TRUE(
      std::equal(one.items.data(), one.items.data() + one.items.size(), three.items.data()));
}

TEST(NewRows, LengthsFollowPopularity) {
  Matrix users(20, 4);
  for (Row u = 0; u < 20; ++u) users.row(u)[0] = 1;
  // Lengths are means of 64 rows about as popular, so that there must be enough of each kind.
  Matrix many(640, 4);
  std::vector<Pair> all;
  for (Row i = 0; i < 640; ++i) {
    const bool popular = i % 2 == 0;
    if (i >= 2) many.row(i)[0] = popular ? 3.0F : 1.0F;
    for (Row u = 0; u < (popular ? 15 : 2); ++u) all.push_back({u, i});
  }
  const data::Csr items_of = data::make_csr(all, 20, Side::kUser);
  const data::Csr users_of = data::make_csr(all, 640, Side::kItem);
  std::vector<std::uint8_t> known_users(20, 1), known_items(640, 1);
  known_items[0] = known_items[1] = 0;
  Threads threads(1);
  fold_in_new_rows({users, known_users, items_of}, {many, known_items, users_of},
                   model::Score::kDot, threads);
  EXPECT_NEAR(many.row(0)[0], 3.0F, 0.01F);
  EXPECT_NEAR(many.row(1)[0], 1.0F, 0.01F);
}

TEST(Extend, StrangersAreCountedAndNothingButStrangersIsRefused) {
  model::Model model = two_tastes(model::Score::kCosine);
  Threads threads(1);
  const model::Model before = model;
  EXPECT_THROW(extend(model, news({{"a", "x"}, {"b", "y"}, {"a", "y"}}), threads), Error);
  EXPECT_EQ(model.user_ids.size(), before.user_ids.size()) << "nothing has changed";
  const Extension extension =
      extend(model, news({{"nina", "i4"}, {"a", "x"}, {"b", "x"}}), threads);
  EXPECT_EQ(extension.new_users, 3U);
  EXPECT_EQ(extension.alone_users, 2U);
  EXPECT_EQ(extension.alone_items, 1U);
}

TEST(Extend, RowsBelowTheRatingAreSeenAndMakeNoRows) {
  model::Model model = two_tastes(model::Score::kCosine);
  Threads threads(1);
  data::Interactions log = news({{"nina", "i4"}});
  const auto low = [&](const char* user, const char* item) {
    const Row row = log.users.insert(user);
    log.seen.push_back({row, log.items.insert(item)});
  };
  low("u3", "i1");
  low("nina", "i5");
  low("nobody", "i0");
  low("u3", "nothing");
  EXPECT_EQ(extend(model, log, threads).seen_pairs, 2U);
  EXPECT_EQ(model.user_ids.size(), 9U);
  EXPECT_EQ(model.item_ids.size(), 8U);
  EXPECT_FALSE(model.known.contains(3, 1));
  const data::Csr seen = model::seen_items(model, std::vector<Row>{3, 8});
  EXPECT_TRUE(seen.contains(0, 1));
  EXPECT_TRUE(seen.contains(1, 5));
  EXPECT_FALSE(model::seen_items(model, std::vector<Row>{8}, false).contains(0, 5));
}

}  // namespace
}  // namespace evenkeel::rank
