// The faster of two ways, with made-up times.
#include "base/timed_choice.h"

#include <gtest/gtest.h>

namespace evenkeel {
namespace {

// How many of `runs` runs went the second way.
int second_ways(TimedChoice& way, int runs, double first, double second) {
  int count = 0;
  for (int run = 0; run < runs; ++run) {
    const bool took_second = way.use_second();
    count += took_second ? 1 : 0;
    way.record(took_second ? second : first);
  }
  return count;
}

TEST(TimedChoice, KeepsToTheFasterOneAndFollowsAChange) {
  TimedChoice way;
  EXPECT_LE(second_ways(way, 1024, 1.0, 1.5), 16) << "only trials";
  EXPECT_GE(second_ways(way, 1024, 2.0, 1.0), 1024 - 32) << "all but trials";
  EXPECT_LE(second_ways(way, 1024, 1.0, 1.1), 32);
}

TEST(TimedChoice, ADifferenceInTheNoiseChangesNothing) {
  TimedChoice way;
  EXPECT_LE(second_ways(way, 1024, 1.0, 0.99), 16);
}

TEST(TimedChoice, OneSlowRunOrOneOfUnknownTimeDecidesNothing) {
  TimedChoice way;
  for (int run = 0; run < 2048; ++run) {
    const bool second = way.use_second();
    const double seconds = run % 7 == 0 ? 50.0 : run % 11 == 0 ? 0.0 : second ? 1.2 : 1.0;
    way.record(seconds);
  }
  EXPECT_LE(second_ways(way, 256, 1.0, 1.2), 4);
}

}  // namespace
}  // namespace evenkeel
