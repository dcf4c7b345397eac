// The order of an epoch that ranks hold between them against the one that a process lists alone:
// `mpirun -n R test_mpi_order`.
#include <gtest/gtest.h>

#include "cluster/mpi/ranks.h"
#include "sampler/registry.h"

namespace evenkeel::sampler {
namespace {

using testing::ranks;

constexpr std::size_t kItems = 40;

// Every fifth user has nothing, and one has everything, so that it takes no part.
data::Csr log_of(std::size_t users, std::size_t most) {
  std::vector<Pair> pairs;
  for (Row user = 0; user < users; ++user) {
    const std::size_t own = user == users / 3 ? kItems : user % 5 == 4 ? 0 : 1 + user * 7 % most;
    for (Row k = 0; k < own; ++k) pairs.push_back({user, static_cast<Row>((user + k) % kItems)});
  }
  return data::make_csr(pairs, users, Side::kUser);
}

void expect_same_order(const data::Csr& log, std::span<const std::size_t> users_of_rank,
                       std::size_t batch) {
  const SamplerEntry& entry = find_sampler("interaction");
  const auto whole = entry.make(log, kItems, 8);
  const auto divided = entry.make_divided(log, kItems, 8, users_of_rank, *ranks);
  ASSERT_EQ(divided->size(), whole->size());
  for (const std::uint32_t epoch : {1U, 2U, 7U}) {
    whole->begin_epoch(epoch);
    divided->begin_epoch(epoch);
    // A resumed epoch begins in its middle.
    const std::size_t first = epoch == 2 ? whole->size() / batch / 2 * batch : 0;
    for (std::size_t at = first; at < whole->size(); at += batch) {
      const std::size_t count = std::min(batch, whole->size() - at);
      const auto wanted = whole->samples(at, count), got = divided->samples(at, count);
      ASSERT_TRUE(std::equal(wanted.begin(), wanted.end(), got.begin(), got.end()))
          << "epoch " << epoch << ", from sample " << at;
    }
    divided->end_epoch();
  }
}

TEST(DividedOrder, IsThatOfOneProcess) {
  for (const std::size_t users : {2U, 17U, 3000U}) {
    const data::Csr log = log_of(users, 30);
    const auto cuts = cluster::even_cuts(users, users > 100 ? 512 : 1, ranks->size());
    for (const std::size_t batch : {1U, 100U, 100000U}) {
      if (users > 100 && batch == 1) continue;
      expect_same_order(log, cuts, batch);
    }
  }
}

// More pairs than ranks follow, and samples than they fetch, at once.
TEST(DividedOrder, OfManyPairsComesInStretches) {
  const std::size_t users = 80'000;
  expect_same_order(log_of(users, 39), cluster::even_cuts(users, 512, ranks->size()), 2048);
}

}  // namespace
}  // namespace evenkeel::sampler

int main(int argc, char** argv) {
  return evenkeel::testing::run_on_ranks(argc, argv);
}
