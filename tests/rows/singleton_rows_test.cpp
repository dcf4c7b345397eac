// Rows that a batch names once, moved by whoever works on their entry, end exactly where they end
// when all rows are moved together.
#include "rows/singleton_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "base/rng.h"
#include "encoder/mf.h"
#include "optim/adam.h"
#include "rows/batch_rows.h"

namespace evenkeel::rows {
namespace {

constexpr std::size_t kUsers = 700, kItems = 300, kDim = 20, kBatch = 256, kStretch = 48;

// Both tables after some steps with made-up gradients.
struct Trained {
  Trained(bool apart, loss::Similarity similarity, int workers)
      : encoder(kUsers, kItems, kDim, 5),
        users(encoder.table(Side::kUser), 0.01),
        items(encoder.table(Side::kItem), 0.01),
        threads(workers),
        rows({encoder, users, items, threads}, similarity, kBatch, kBatch, 0.1,
             {.separate_singletons = apart}, {.separate_singletons = apart}) {
    for (std::uint32_t step = 0; step < 9; ++step) run(step);
    users.finish(threads);
    items.finish(threads);
  }

  void run(std::uint32_t step) {
    const Random random(4, Purpose::kMarket, step);
    std::vector<Row> named[2] = {std::vector<Row>(kBatch), std::vector<Row>(kBatch)};
    Matrix gradients(kBatch, kDim);
    for (std::uint32_t e = 0; e < kBatch; ++e) {
      named[0][e] = static_cast<Row>(random.uniform(e, 0) * kUsers);
      named[1][e] = static_cast<Row>(std::pow(random.uniform(e, 1), 2) * kItems);
      for (std::uint32_t c = 0; c < kDim; ++c) {
        gradients.row(e)[c] = static_cast<float>(random.uniform(e, 2 + c) - 0.5);
      }
    }
    if (step % 4 == 0) rows.begin_epoch();
    rows.gather(named[0], named[1]);
    const RowUpdate::Sums sums{gradients.data()};
    threads.for_chunks(kBatch, kStretch, [&](std::size_t begin, std::size_t end, int worker) {
      for (const Side side : {Side::kUser, Side::kItem}) {
        const std::span<const Row> all(named[side == Side::kUser ? 0 : 1]);
        const auto own = all.subspan(begin, end - begin);
        rows.begin_singletons(side, begin, own, worker);
        // Every entry reads its row as it stands before the step.
        Matrix compared(end - begin, kDim);
        rows.compared(side, own, compared.data());
        for (std::size_t k = 0; k < own.size(); ++k) {
          for (std::size_t c = 0; c < kDim; ++c) gradients.row(begin + k)[c] += compared.row(k)[c];
        }
      }
      for (const Side side : {Side::kUser, Side::kItem}) {
        const std::span<const Row> all(named[side == Side::kUser ? 0 : 1]);
        rows.update_singletons(side, begin, all.subspan(begin, end - begin), all.subspan(end),
                               kBatch, sums, worker);
      }
    });
    rows.update(kBatch, sums, sums);
  }

  encoder::Mf encoder;
  optim::Adam users, items;
  Threads threads;
  BatchRows rows;
};

bool equal(const Matrix& a, const Matrix& b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

TEST(SingletonRows, MoveExactlyAsAllRowsTogether) {
  for (const loss::Similarity similarity : {loss::Similarity::kCosine, loss::Similarity::kDot}) {
    Trained together(false, similarity, 1);
    const Matrix start = encoder::Mf(kUsers, kItems, kDim, 5).table(Side::kUser);
    EXPECT_FALSE(equal(together.encoder.table(Side::kUser), start));
    for (const int workers : {1, 3}) {
      Trained apart(true, similarity, workers);
      for (const Side side : {Side::kUser, Side::kItem}) {
        EXPECT_TRUE(equal(apart.encoder.table(side), together.encoder.table(side)))
            << "workers " << workers << " cosine " << (similarity == loss::Similarity::kCosine);
      }
    }
  }
}

TEST(SingletonRows, SelectNamesThoseOfAStretch) {
  Grouping groups(100, 8, {.separate_singletons = true});
  const std::vector<Row> rows{7, 3, 7, 99, 4, 3, 0, 7};
  const std::size_t chunks = groups.begin(rows);
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) groups.count_chunk(chunk);
  groups.prefix_sums();
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) groups.scatter_chunk(chunk);
  for (std::size_t bucket = 0; bucket < groups.buckets(); ++bucket) groups.collect_rows(bucket);
  SingletonRows lone(8);
  lone.select(groups, 2, std::span(rows).subspan(2, 4));
  EXPECT_EQ(std::vector<Row>(lone.rows().begin(), lone.rows().end()), (std::vector<Row>{99, 4}));
  EXPECT_EQ(std::vector<std::uint32_t>(lone.entries().begin(), lone.entries().end()),
            (std::vector<std::uint32_t>{3, 4}));
  lone.select(groups, 0, std::span(rows).first(2));
  EXPECT_TRUE(lone.rows().empty());
}

}  // namespace
}  // namespace evenkeel::rows
