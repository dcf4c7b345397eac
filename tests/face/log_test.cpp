// The log in memory: what it counts, what it refuses, and that copies are their own.
#include <gtest/gtest.h>

#include <cmath>

#include "face/small_logs.h"

namespace evenkeel::testing {
namespace {

TEST(FaceLog, CountsPairsUsersAndItems) {
  InteractionLog log;
  log.add("ann", "dune");
  log.add("ann", "emma");
  log.add("ben", "dune");
  EXPECT_EQ(log.size(), 3U);
  EXPECT_EQ(log.users(), 2U);
  EXPECT_EQ(log.items(), 2U);
}

TEST(FaceLog, ACopyIsItsOwn) {
  InteractionLog log;
  log.add("ann", "dune");
  InteractionLog copy = log, assigned;
  assigned = copy;
  copy.add("ben", "emma");
  EXPECT_EQ(log.size(), 1U);
  EXPECT_EQ(assigned.size(), 1U);
  const InteractionLog moved = std::move(copy);
  EXPECT_EQ(moved.size(), 2U);
}

TEST(FaceLog, RefusesWhatIsNoPair) {
  InteractionLog log;
  log.add("ann", "dune");
  const auto failure = [](auto action) { return failure_of(ErrorKind::kData, action); };
  expect_holds(failure([&] { log.add("", "dune"); }), {"pair 2", "empty user"});
  expect_holds(failure([&] { log.add("ann", ""); }), {"pair 2", "empty item"});
  expect_holds(failure([&] { log.add("ann", "emma", 3.0); }), {"pair 2", "time"});
  InteractionLog timed;
  timed.add("ann", "dune", 1.0);
  expect_holds(failure([&] { timed.add("ann", "emma"); }), {"pair 2", "no time"});
  expect_holds(failure([&] { timed.add("ann", "emma", std::nan("")); }), {"finite"});
  EXPECT_EQ(timed.size(), 1U);
  EXPECT_EQ(timed.items(), 1U);
  expect_holds(failure([&] { train_recommender(InteractionLog()); }), {"no interactions"});
}

TEST(FaceLog, ReadsAFileAsToldAndRefusesWhatIsNoOptionOfReading) {
  const Scratch scratch;
  const std::string path =
      scratch.write("shop.csv", "who,what,stars\nann,dune,5\nann,emma,1\nben,dune,4\n");
  const InteractionLog log = InteractionLog::read(path, {{"user-column", "who"},
                                                         {"item-column", "what"},
                                                         {"rating-column", "stars"},
                                                         {"min-rating", "4"}});
  EXPECT_EQ(log.size(), 2U);
  EXPECT_EQ(log.items(), 1U);
  failure_of(ErrorKind::kConfig, [&] { InteractionLog::read(path, {{"loss", "bc"}}); });
  failure_of(ErrorKind::kData, [&] { InteractionLog::read(scratch.path("absent.csv")); });
}

}  // namespace
}  // namespace evenkeel::testing
