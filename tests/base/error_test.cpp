// In: failures of each kind. Out: their sentences and the documented exit codes.
#include "base/error.h"

#include <gtest/gtest.h>

namespace evenkeel {
namespace {

template <typename Action>
int exit_code_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "x.csv:3: bad");
    return error.exit_code();
  }
  return 0;
}

TEST(Error, KindsAreExitCodes) {
  EXPECT_EQ(exit_code_of([] { fail_run("{}:{}: bad", "x.csv", 3); }), 1);
  EXPECT_EQ(exit_code_of([] { fail_config("{}:{}: bad", "x.csv", 3); }), 2);
  EXPECT_EQ(exit_code_of([] { fail_data("{}:{}: bad", "x.csv", 3); }), 3);
}

TEST(Error, BrokenInvariantsSaySo) {
  try {
    EVENKEEL_CHECK(1 + 1 == 3);
    FAIL() << "the check must throw";
  } catch (const std::logic_error& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find("internal error: 1 + 1 == 3"), 0U) << text;
    EXPECT_NE(text.find("error_test.cpp"), std::string::npos) << text;
  }
  EXPECT_NO_THROW(EVENKEEL_CHECK(true));
}

}  // namespace
}  // namespace evenkeel
