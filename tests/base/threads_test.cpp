// In: work at several thread counts. Out: every chunk once, the same writes, exceptions seen.
#include "base/threads.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <vector>

namespace evenkeel {
namespace {

TEST(Threads, RunsEveryWorkerOnce) {
  for (const int count : {1, 2, 5}) {
    Threads threads(count);
    ASSERT_EQ(threads.count(), count);
    std::vector<int> calls(static_cast<std::size_t>(count), 0);
    for (int round = 0; round < 200; ++round) {
      threads.run([&](int worker) { ++calls[static_cast<std::size_t>(worker)]; });
    }
    for (const int n : calls) EXPECT_EQ(n, 200);
  }
}

TEST(Threads, ChunksCoverTheRangeOnceAndKeepTheirBorders) {
  for (const int count : {1, 2, 5}) {
    Threads threads(count);
    for (const std::size_t size : {0UL, 1UL, 7UL, 64UL, 1000UL}) {
      for (const std::size_t grain : {0UL, 1UL, 7UL, 64UL, 5000UL}) {
        const std::size_t step = grain == 0 ? 1 : grain;
        std::vector<int> seen(size, 0);
        std::atomic<bool> borders{true};
        threads.for_chunks(size, grain, [&](std::size_t begin, std::size_t end, int worker) {
          if (begin % step != 0 || end - begin > step || worker >= count) borders = false;
          for (std::size_t i = begin; i < end; ++i) ++seen[i];
        });
        EXPECT_TRUE(borders) << count << ' ' << size << ' ' << grain;
        for (const int n : seen) ASSERT_EQ(n, 1);
      }
    }
  }
}

// The first chunk waits until all others are done: those of its worker must go to the others.
TEST(Threads, WorkersHelpWithTheSharesOfOthers) {
  for (const int count : {2, 5}) {
    Threads threads(count);
    std::atomic<int> done{0};
    bool others_done = false;
    threads.for_chunks(100, 1, [&](std::size_t begin, std::size_t, int) {
      if (begin == 0) {
        const auto start = std::chrono::steady_clock::now();
        while (done < 99 && std::chrono::steady_clock::now() - start < std::chrono::seconds(20)) {
          std::this_thread::yield();
        }
        others_done = done == 99;
      } else {
        ++done;
      }
    });
    EXPECT_TRUE(others_done) << count;
  }
}

TEST(Threads, AnExceptionOfAnyWorkerReachesTheCaller) {
  for (const int count : {1, 2, 5}) {
    Threads threads(count);
    for (int thrower = 0; thrower < count; ++thrower) {
      EXPECT_THROW(threads.run([&](int worker) {
        if (worker == thrower) throw std::runtime_error("from a worker");
      }),
                   std::runtime_error);
    }
    EXPECT_THROW(
        threads.for_chunks(100, 1,
                           [](std::size_t, std::size_t, int) { throw std::runtime_error("all"); }),
        std::runtime_error);
    std::atomic<int> after{0};
    threads.run([&](int) { ++after; });
    EXPECT_EQ(after.load(), count) << "the team must work on after a failure";
  }
}

TEST(Threads, ChunkResultsAreTheSameAtAnyCount) {
  const auto sums = [](int count) {
    Threads threads(count);
    std::vector<float> part(100);
    threads.for_chunks(100000, 1000, [&](std::size_t begin, std::size_t end, int) {
      float sum = 0;
      for (std::size_t i = begin; i < end; ++i) sum += 1.0F / static_cast<float>(i + 1);
      part[begin / 1000] = sum;
    });
    return part;
  };
  const auto one = sums(1);
  EXPECT_EQ(one, sums(2));
  EXPECT_EQ(one, sums(5));
}

TEST(Threads, ByDefaultAsManyAsTheProcessMayUse) {
  cpu_set_t allowed, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
  EXPECT_LE(available_cores(), CPU_COUNT(&allowed));
  EXPECT_EQ(Threads().count(), available_cores());
  CPU_ZERO(&one);
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu) {
    if (CPU_ISSET(cpu, &allowed)) CPU_SET(cpu, &one);
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_EQ(available_cores(), 1);
  EXPECT_EQ(Threads().count(), 1);
  EXPECT_EQ(Threads(3).count(), 3);  // a number that is given is taken
  ASSERT_EQ(sched_setaffinity(0, sizeof(allowed), &allowed), 0);
}

}  // namespace
}  // namespace evenkeel
