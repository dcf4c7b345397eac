// What programs of tests that run on every rank of a launch have in common. In: the launcher's
// words; out: the ranks, one report, and the worst exit code.
#pragma once

#include <gtest/gtest.h>

#include "cluster/mpi/mpi_cluster.h"

namespace evenkeel::testing {

inline cluster::Cluster* ranks = nullptr;

// Every rank runs every test; one that fails on any rank fails the launch.
inline int run_on_ranks(int argc, char** argv) {
  const auto cluster = cluster::mpi_cluster(&argc, &argv);
  ranks = cluster.get();
  ::testing::InitGoogleTest(&argc, argv);
  if (!cluster->first()) {
    auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
  }
  const int failed = RUN_ALL_TESTS();
  if (failed != 0 && !cluster->first()) {
    GTEST_LOG_(ERROR) << "a test failed on rank " << cluster->rank();
  }
  return failed;
}

}  // namespace evenkeel::testing
