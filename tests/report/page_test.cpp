// In: data with hostile text. Out: a page that it cannot break.
#include "report/page.h"

#include <gtest/gtest.h>

namespace evenkeel::report {
namespace {

using nlohmann::json;

TEST(Page, TheBuiltPageHasOnePlaceForTheData) {
  const std::string_view page = page_template();
  constexpr std::string_view kPlace =
      R"(<script type="application/json" id="report-data"></script>)";
  const std::size_t first = page.find(kPlace);
  ASSERT_NE(first, page.npos);
  EXPECT_EQ(page.find(kPlace, first + 1), page.npos);
}

TEST(Page, HostileTextStaysText) {
  const json data{
      {"id", "</script><script>alert(1)</script><!-- \"quoted\" 'single' & \\ \xE2\x80\xA8"},
      {"long", std::string(10240, '<')},
      {"bytes", "a\xFFz"}};
  const std::string safe = script_safe(data);
  EXPECT_EQ(safe.find('<'), std::string::npos);
  const json back = json::parse(safe);
  EXPECT_EQ(back["id"], data["id"]);
  EXPECT_EQ(back["long"], data["long"]);
  EXPECT_EQ(back["bytes"], "a\xEF\xBF\xBDz");
}

TEST(Page, DataStandsInItsPlace) {
  const std::string page = make_page(
      {{"a", 1}}, R"(<p>x</p><script type="application/json" id="report-data">old</script><b>)");
  EXPECT_EQ(page,
            R"(<p>x</p><script type="application/json" id="report-data">{"a":1}</script><b>)");
}

}  // namespace
}  // namespace evenkeel::report
