// In: figures and ids of any kind. Out: short JSON.
#include "report/numbers.h"

#include <gtest/gtest.h>

namespace evenkeel::report {
namespace {

TEST(Number, KeepsFiveDigitsAndNoNonsense) {
  EXPECT_EQ(number(0.123456789).dump(), "0.12346");
  EXPECT_EQ(number(2.0).dump(), "2");
  EXPECT_EQ(number(-1234567.0).dump(), "-1234600");
  EXPECT_TRUE(number(NAN).is_null());
  EXPECT_TRUE(number(INFINITY).is_null());
  EXPECT_TRUE(number(std::optional<double>()).is_null());
  EXPECT_EQ(rounded({{"a", {1.0000001, "x", true}}}).dump(), R"({"a":[1,"x",true]})");
}

TEST(ShareText, KeepsSmallSharesApartFromNone) {
  EXPECT_EQ(share_text(0), "0 %");
  EXPECT_EQ(share_text(0.00004), "< 0.01 %");
  EXPECT_EQ(share_text(0.0006), "0.06 %");
  EXPECT_EQ(share_text(0.0094), "0.94 %");
  EXPECT_EQ(share_text(0.00996), "1.0 %");
  EXPECT_EQ(share_text(0.511), "51.1 %");
}

TEST(ShortId, IsShortUtf8) {
  EXPECT_EQ(short_id("<script>\"'&"), "<script>\"'&");
  EXPECT_EQ(short_id("\xC3\xBC"), "\xC3\xBC");
  EXPECT_EQ(short_id("a\xFF"), "a\xEF\xBF\xBD") << "not UTF-8";
  const std::string cut = short_id(std::string(10240, 'x'));
  EXPECT_LE(cut.size(), 203U);
  EXPECT_TRUE(cut.ends_with("\xE2\x80\xA6"));
  for (const std::string& start : {std::string(), std::string("a")}) {
    std::string umlauts = start;
    for (int n = 0; n < 200; ++n) umlauts += "\xC3\xBC";
    EXPECT_EQ(short_id(umlauts).find("\xEF\xBF\xBD"), std::string::npos) << "cut in a character";
  }
}

TEST(SpreadPlaces, HoldTheEnds) {
  EXPECT_EQ(spread_places(3, 5), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(spread_places(10, 4), (std::vector<std::size_t>{0, 3, 6, 9}));
  EXPECT_TRUE(spread_places(0, 5).empty());
}

}  // namespace
}  // namespace evenkeel::report
