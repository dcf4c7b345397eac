// LightGCN against a dense double reference: forward, chosen rows against all rows, and the way
// back, with isolated nodes and extra rows.
#include "encoder/lightgcn.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace evenkeel::encoder {
namespace {

using Dense = std::vector<std::vector<double>>;

// 5 users, 6 items; user 3 and item 5 have no edge.
data::Dataset graph() {
  data::Ids users, items;
  for (int u = 0; u < 5; ++u) users.insert("u" + std::to_string(u));
  for (int i = 0; i < 6; ++i) items.insert("i" + std::to_string(i));
  return data::make_dataset(
      "graph", users, items,
      {{0, 0}, {0, 1}, {0, 4}, {1, 0}, {2, 1}, {2, 2}, {2, 3}, {4, 0}, {4, 2}}, {}, {});
}

// The whole bipartite adjacency, normalised: users first, then items.
Dense adjacency(const data::Dataset& data) {
  const std::size_t users = data.user_count(), n = users + data.item_count();
  Dense a(n, std::vector<double>(n, 0.0));
  for (std::size_t u = 0; u < users; ++u) {
    for (const Row i : data.items_of.row(u)) {
      const double w =
          1 / std::sqrt(double(data.items_of.count(u)) * double(data.users_of.count(i)));
      a[u][users + i] = a[users + i][u] = w;
    }
  }
  return a;
}

// (x + A x + ... + A^L x) / (L + 1)
Dense mean_of_layers(const Dense& a, Dense x, std::size_t layers) {
  Dense total = x;
  for (std::size_t l = 0; l < layers; ++l) {
    Dense next(x.size(), std::vector<double>(x[0].size(), 0.0));
    for (std::size_t r = 0; r < a.size(); ++r) {
      for (std::size_t k = 0; k < a.size(); ++k) {
        for (std::size_t c = 0; c < x[0].size(); ++c) next[r][c] += a[r][k] * x[k][c];
      }
    }
    x = next;
    for (std::size_t r = 0; r < x.size(); ++r) {
      for (std::size_t c = 0; c < x[0].size(); ++c) total[r][c] += x[r][c];
    }
  }
  for (auto& row : total) {
    for (double& value : row) value /= static_cast<double>(layers + 1);
  }
  return total;
}

Dense stacked(const Matrix& users, std::size_t user_rows, const Matrix& items,
              std::size_t item_rows) {
  Dense out;
  for (std::size_t r = 0; r < user_rows; ++r)
    out.emplace_back(users.values(r).begin(), users.values(r).end());
  for (std::size_t r = 0; r < item_rows; ++r)
    out.emplace_back(items.values(r).begin(), items.values(r).end());
  return out;
}

class Keep final : public RowConsumer {
 public:
  explicit Keep(const Matrix& like) : gradients(like.rows(), like.dim()), seen(like.rows(), 0) {}
  void consume(const RowGradients& block) override {
    for (std::size_t k = 0; k < block.rows.size(); ++k) {
      ++seen[block.rows[k]];
      std::copy_n(block.gradients + k * block.stride, block.stride, gradients.row(block.rows[k]));
      decay.push_back(block.decay[k]);
    }
  }
  Matrix gradients;
  std::vector<int> seen;
  std::vector<float> decay;
};

// How many layers, and whether sums over neighbours read bf16 rows: 8 bits and a rounding each
// layer.
struct Depth {
  std::size_t layers;
  bool half_width;
  double tolerance() const { return half_width ? 0.004 : 1e-6; }
};
class Layers : public ::testing::TestWithParam<Depth> {
 protected:
  static std::size_t layers() { return GetParam().layers; }
  static LightGcn make(const data::Dataset& data, std::size_t dim, ExtraRows extra) {
    return {data, layers(), dim, 3, extra, GetParam().half_width};
  }
};

TEST_P(Layers, ForwardEqualsTheDenseMean) {
  const data::Dataset data = graph();
  Threads threads(2);
  LightGcn encoder = make(data, 7, {1, 2});
  encoder.forward_all(threads);
  const Dense expected = mean_of_layers(
      adjacency(data), stacked(encoder.table(Side::kUser), 5, encoder.table(Side::kItem), 6),
      layers());
  for (std::size_t r = 0; r < 11; ++r) {
    const Matrix& vectors = encoder.vectors(r < 5 ? Side::kUser : Side::kItem);
    for (std::size_t c = 0; c < 7; ++c) {
      EXPECT_NEAR(double{vectors.row(r < 5 ? r : r - 5)[c]}, expected[r][c],
                  GetParam().tolerance());
    }
  }
  for (const auto& [side, row] : {std::pair{Side::kUser, 5}, {Side::kItem, 6}, {Side::kItem, 7}}) {
    const auto at = static_cast<std::size_t>(row);
    EXPECT_EQ(std::memcmp(encoder.table(side).row(at), encoder.vectors(side).row(at), 28), 0)
        << "an extra row must pass through unchanged";
  }
}

TEST_P(Layers, ChosenRowsEqualAllRowsBitForBit) {
  const data::Dataset data = graph();
  Threads threads(2);
  LightGcn all = make(data, 20, {}), some = make(data, 20, {});
  all.forward_all(threads);
  const std::vector<Row> users{0, 3}, items{1, 5};
  some.forward(users, items, threads);
  for (const Row u : users) {
    EXPECT_EQ(std::memcmp(all.vectors(Side::kUser).row(u), some.vectors(Side::kUser).row(u), 80),
              0);
  }
  for (const Row i : items) {
    EXPECT_EQ(std::memcmp(all.vectors(Side::kItem).row(i), some.vectors(Side::kItem).row(i), 80),
              0);
  }
}

// The encoder is linear and symmetric: the gradient of the tables is the same mean of layers
// applied to the gradient of the final vectors.
TEST_P(Layers, BackwardEqualsTheDenseTranspose) {
  const data::Dataset data = graph();
  Threads threads(2);
  LightGcn encoder = make(data, 7, {0, 1});
  encoder.forward_all(threads);
  for (int round = 0; round < 2; ++round) {  // the second round must not see the first
    Matrix user_block(2, 7), item_block(2, 7);
    for (std::size_t c = 0; c < 7; ++c) {
      user_block.row(0)[c] = 0.1F * static_cast<float>(c + 1);
      user_block.row(1)[c] = round == 0 ? -0.3F : 0.7F;
      item_block.row(0)[c] = 0.5F - 0.2F * static_cast<float>(c);
      item_block.row(1)[c] = 1.5F;
    }
    const std::vector<Row> users{0, round == 0 ? Row{3} : Row{2}}, items{2, 6};  // 6 is extra
    const std::vector<float> decay{0.25F, 0.5F};
    Keep user_keep(encoder.table(Side::kUser)), item_keep(encoder.table(Side::kItem));
    encoder.gradients(Side::kUser, user_keep)
        .consume({users, user_block.data(), user_block.stride(), decay.data()});
    encoder.gradients(Side::kItem, item_keep)
        .consume({items, item_block.data(), item_block.stride(), decay.data()});
    encoder.backward(user_keep, item_keep, threads);

    Dense g(11, std::vector<double>(7, 0.0));
    for (std::size_t c = 0; c < 7; ++c) {
      g[users[0]][c] = double{user_block.row(0)[c]};
      g[users[1]][c] = double{user_block.row(1)[c]};
      g[5 + 2][c] = double{item_block.row(0)[c]};
    }
    const Dense expected = mean_of_layers(adjacency(data), g, layers());
    for (std::size_t r = 0; r < 11; ++r) {
      const Matrix& got = r < 5 ? user_keep.gradients : item_keep.gradients;
      for (std::size_t c = 0; c < 7; ++c) {
        EXPECT_NEAR(double{got.row(r < 5 ? r : r - 5)[c]}, expected[r][c], GetParam().tolerance())
            << "row " << r << " column " << c << " round " << round;
      }
    }
    EXPECT_EQ(item_keep.gradients.row(6)[0], 1.5F) << "an extra row keeps its gradient";
    for (const int times : user_keep.seen) EXPECT_EQ(times, 1);
    EXPECT_EQ(std::count(user_keep.decay.begin(), user_keep.decay.end(), 0.25F), 1);
  }
}

// A twin's vector is its item's, with another row of layer 0.
TEST_P(Layers, TwinsHearTheNeighboursOfTheirItems) {
  const data::Dataset data = graph();
  Threads threads(2);
  LightGcn encoder = make(data, 7, {.items = 6, .twins = true});
  encoder.forward_all(threads);
  const Matrix& items = encoder.table(Side::kItem);
  const Dense expected =
      mean_of_layers(adjacency(data), stacked(encoder.table(Side::kUser), 5, items, 6), layers());
  const double share = 1 / static_cast<double>(layers() + 1);
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t c = 0; c < 7; ++c) {
      const double own = double{items.row(6 + i)[c]} - double{items.row(i)[c]};
      EXPECT_NEAR(double{encoder.vectors(Side::kItem).row(6 + i)[c]},
                  expected[5 + i][c] + share * own, GetParam().tolerance())
          << "twin of item " << i;
    }
  }
}

// The way back of the same: everything goes where the item's gradient goes, but for layer 0.
TEST_P(Layers, GradientsOfTwinsReachTheNeighboursOfTheirItems) {
  const data::Dataset data = graph();
  Threads threads(2);
  LightGcn encoder = make(data, 7, {.items = 6, .twins = true});
  encoder.forward_all(threads);
  const double share = 1 / static_cast<double>(layers() + 1);
  for (int round = 0; round < 2; ++round) {         // the second round must not see the first
    const std::vector<Row> items{2, 6 + 2, 6, 11};  // item 2 and its twin; twins of 0 and 5 alone
    Matrix block(items.size(), 7);
    Dense g(11, std::vector<double>(7, 0.0));
    for (std::size_t k = 0; k < items.size(); ++k) {
      for (std::size_t c = 0; c < 7; ++c) {
        block.row(k)[c] = 0.1F * static_cast<float>(c + 2 * k) - (round == 0 ? 0.2F : 0.6F);
        g[5 + items[k] % 6][c] += double{block.row(k)[c]};
      }
    }
    const std::vector<float> decay(items.size(), 0.5F);
    Keep users_keep(encoder.table(Side::kUser)), items_keep(encoder.table(Side::kItem));
    encoder.gradients(Side::kItem, items_keep)
        .consume({items, block.data(), block.stride(), decay.data()});
    encoder.backward(users_keep, items_keep, threads);
    Dense expected = mean_of_layers(adjacency(data), g, layers());
    expected.resize(17, std::vector<double>(7, 0.0));
    for (std::size_t k = 1; k < items.size(); ++k) {
      for (std::size_t c = 0; c < 7; ++c) {
        expected[5 + items[k] % 6][c] -= share * double{block.row(k)[c]};
        expected[5 + items[k]][c] += share * double{block.row(k)[c]};
      }
    }
    for (std::size_t r = 0; r < 17; ++r) {
      const Matrix& got = r < 5 ? users_keep.gradients : items_keep.gradients;
      for (std::size_t c = 0; c < 7; ++c) {
        EXPECT_NEAR(double{got.row(r < 5 ? r : r - 5)[c]}, expected[r][c], GetParam().tolerance())
            << "row " << r << " column " << c << " round " << round;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(UpToTen, Layers,
                         ::testing::Values(Depth{0, false}, Depth{1, false}, Depth{2, false},
                                           Depth{3, false}, Depth{4, false}, Depth{10, false},
                                           Depth{0, true}, Depth{1, true}, Depth{2, true},
                                           Depth{3, true}, Depth{10, true}));

TEST(LightGcn, HalfWidthIsCoarserOnlyWhereNeighboursAreSummed) {
  const data::Dataset data = graph();
  Threads threads(1);
  LightGcn full(data, 2, 7, 3, {}), half(data, 2, 7, 3, {}, true);
  full.forward_all(threads);
  half.forward_all(threads);
  const auto same = [&](Side side, std::size_t row) {
    return std::memcmp(full.vectors(side).row(row), half.vectors(side).row(row), 28) == 0;
  };
  EXPECT_FALSE(same(Side::kUser, 0)) << "half width must be read";
  EXPECT_TRUE(same(Side::kUser, 3)) << "a row without edges has no neighbours to be coarse about";
  EXPECT_TRUE(same(Side::kItem, 5));
}

}  // namespace
}  // namespace evenkeel::encoder
