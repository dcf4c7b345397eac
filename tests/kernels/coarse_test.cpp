// Items in eight bits. In: catalogues of every kind, also hostile ones; out: the lists of the exact
// kernel, to the bit, from a few panels.
#include "kernels/coarse.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/rng.h"

namespace evenkeel::kernels {
namespace {

// Rows whose lengths differ by up to e^spread.
Matrix made_up(std::size_t rows, std::size_t dim, double spread, std::uint32_t seed) {
  const Random random(seed, Purpose::kMarket);
  Matrix matrix(rows, dim);
  for (std::size_t r = 0; r < rows; ++r) {
    Draws draws(random, static_cast<std::uint32_t>(r));
    const double length = std::exp(spread * (draws.uniform() - 0.5));
    for (float& value : matrix.values(r)) {
      value = static_cast<float>(length * (draws.uniform() + draws.uniform() - 1));
    }
  }
  return matrix;
}

struct Catalogue {
  Matrix items;
  std::vector<float> vector;
  std::vector<Row> masked;
  std::vector<float> added;
  std::size_t k = 20;
};

std::vector<Ranked> exact(const Catalogue& one, const ItemPanels& panels) {
  Matrix vectors(1, one.items.dim());
  std::copy(one.vector.begin(), one.vector.end(), vectors.row(0));
  const Row rows[] = {0};
  const std::span<const Row> masks[] = {one.masked};
  RankBlock block{&vectors, rows, {}, masks, one.k, one.added};
  TopKScratch scratch;
  std::vector<Ranked> out(one.k);
  std::uint32_t count = 0;
  rank_block(panels, block, scratch, out, std::span(&count, 1));
  out.resize(count);
  return out;
}

// The share of panels that were scored exactly.
double expect_same(const Catalogue& one, const char* what) {
  Threads threads(2);
  ItemPanels panels;
  panels.pack(one.items, {}, threads);
  const CoarseItems coarse(panels, threads);
  CoarseItems::Scratch scratch;
  std::vector<Ranked> out(one.k);
  const CoarseItems::Query query{one.vector.data(), one.masked, one.k,
                                 one.added.empty() ? nullptr : one.added.data()};
  out.resize(rank_one(panels, coarse, query, scratch, out));
  EXPECT_EQ(out, exact(one, panels)) << what;
  return static_cast<double>(scratch.panels.size()) / static_cast<double>(panels.count());
}

Catalogue made_up_case(std::size_t rows, std::size_t dim, double spread, std::uint32_t seed) {
  Catalogue one{made_up(rows, dim, spread, seed), {}, {}, {}, 20};
  const Matrix vector = made_up(1, dim, 0, seed + 100);
  one.vector.assign(vector.row(0), vector.row(0) + dim);
  return one;
}

TEST(Coarse, ListsAreThoseOfTheExactKernel) {
  for (const std::size_t dim : {1, 2, 7, 16, 33, 64, 130}) {
    for (const double spread : {0.0, 3.0, 40.0}) {
      for (std::uint32_t seed = 1; seed <= 4; ++seed) {
        Catalogue one = made_up_case(3000 + seed, dim, spread, seed);
        for (Row item = seed; item < 3000; item += 7) one.masked.push_back(item);
        one.k = seed == 4 ? 3100 : 5 * seed;  // the last asks for more than there are
        expect_same(one, "plain");
        one.added.resize(3040);
        for (std::size_t i = 0; i < one.added.size(); ++i) {
          one.added[i] = static_cast<float>(std::log(1.0 + static_cast<double>(i * 37 % 501)));
        }
        expect_same(one, "with a number added");
      }
    }
  }
}

TEST(Coarse, MostPanelsAreLeftOut) {
  EXPECT_LT(expect_same(made_up_case(20000, 64, 0.0, 3), "even lengths"), 0.1);
}

TEST(Coarse, TiesGoByTheItemsNumber) {
  Catalogue one = made_up_case(4000, 32, 0.0, 5);
  for (std::size_t r = 40; r < 4000; ++r) {  // a hundred copies of forty items
    std::copy_n(one.items.row(r % 40), one.items.stride(), one.items.row(r));
  }
  expect_same(one, "copies");
  for (float& value : one.vector) value = 0;
  expect_same(one, "a vector of zeros");
  one.items.fill_zero();
  expect_same(one, "items of zeros");
}

TEST(Coarse, StrangeNumbersAreScoredExactly) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const float strange : {std::nanf(""), kInfinity, -kInfinity, 3e38F, 1e-45F, 1e-38F}) {
    Catalogue one = made_up_case(2500, 48, 0.0, 6);
    for (std::size_t r = 3; r < 2500; r += 500) one.items.row(r)[r % 48] = strange;
    expect_same(one, "in an item");
    one = made_up_case(2500, 48, 0.0, 6);
    one.vector[5] = strange;
    expect_same(one, "in the vector");
    one = made_up_case(2500, 48, 0.0, 6);
    for (std::size_t r = 0; r < 2500; ++r) {
      for (float& value : one.items.values(r)) value *= std::abs(strange);
    }
    expect_same(one, "everywhere");
  }
}

}  // namespace
}  // namespace evenkeel::kernels
