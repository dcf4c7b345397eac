// In: experiment files, good and bad. Out: plans, or a sentence with the line and the nearest
// match.
#include "experiment/plan.h"

#include <gtest/gtest.h>

#include "data/scratch.h"
#include "experiment/auto_tune.h"

namespace evenkeel::experiment {
namespace {

using testing::expect_holds;
using testing::failure_of;
using testing::Scratch;

constexpr std::string_view kWhole = R"(title = "T"
seeds = [3, 4]
data_root = "root"
[common]
lr = 0.01
epochs = 7
[[data]]
name = "Yahoo!R3"
path = "y"
options = { lr = 0.02 }
tests = ["test_ood"]
[[encoder]]
name = "MF"
options = { encoder = "mf", dim = 8 }
[[encoder]]
name = "Graph"
options = { encoder = "lightgcn" }
[[method]]
name = "SSM"
options = { loss = "softmax" }
search = { tau = [0.1, 1], negatives = [8, "in-batch"] }
encoders = ["MF"]
[[method]]
name = "BC loss"
ours = true
[paper."Yahoo!R3"."MF"]
"BC loss" = { test_ood = [0.1487, 0.0706] }
)";

Plan plan_from(const std::string& text) {
  const Scratch scratch;
  return read_plan(scratch.write("plan.toml", text));
}

// The whole file with one piece replaced.
std::string changed(std::string_view piece, std::string_view by) {
  std::string text(kWhole);
  const std::size_t at = text.find(piece);
  EXPECT_NE(at, std::string::npos) << piece;
  return text.replace(at, piece.size(), by);
}

TEST(Plan, HoldsWhatTheFileSays) {
  const Plan plan = plan_from(std::string(kWhole));
  EXPECT_EQ(plan.title, "T");
  EXPECT_EQ(plan.seeds, (std::vector<std::uint64_t>{3, 4}));
  EXPECT_EQ(plan.tuning_seed, 3U);
  EXPECT_TRUE(plan.data_root.ends_with("/root")) << plan.data_root;
  ASSERT_EQ(plan.methods.size(), 2U);
  EXPECT_TRUE(plan.methods[1].ours);
  ASSERT_EQ(plan.paper.size(), 1U);
  EXPECT_EQ(plan.paper[0].recall, 0.1487);
}

TEST(Plan, LaterOptionsWinAndMethodsKeepToTheirEncoders) {
  const Plan plan = plan_from(std::string(kWhole));
  const std::vector<Cell> mf = cells_of(plan, plan.data[0], plan.encoders[0]);
  ASSERT_EQ(mf.size(), 2U);
  EXPECT_EQ(cells_of(plan, plan.data[0], plan.encoders[1]).size(), 1U);
  const Settings settings = settings_of(plan, mf[0], {{"tau", 0.5}}, 9);
  EXPECT_EQ(settings.number("lr"), 0.02) << "data before common";
  EXPECT_EQ(settings.integer("epochs"), 7);
  EXPECT_EQ(settings.integer("dim"), 8);
  EXPECT_EQ(settings.text("loss"), "softmax");
  EXPECT_EQ(settings.number("tau"), 0.5);
  EXPECT_EQ(settings.integer("seed"), 9);
}

TEST(Plan, WrongWordsAreNamedWithTheirLineAndNearestMatch) {
  const struct {
    std::string text;
    std::vector<std::string_view> pieces;
  } cases[] = {
      {changed("title", "titel"), {"plan.toml:1", "'titel'", "'title'"}},
      {changed("epochs = 7", "epoch = 7"), {"plan.toml:6", "'epoch'", "'epochs'"}},
      {changed("\"softmax\"", "\"sofmax\""), {"plan.toml:20", "'sofmax'", "'softmax'"}},
      {changed("tau = [0.1, 1]", "tua = [0.1, 1]"), {"plan.toml:21", "'tua'", "'tau'"}},
      {changed("tau = [0.1, 1]", "tau = [0.1, -1]"), {"plan.toml:21", "tau"}},
      {changed("tau = [0.1, 1]", "tau = 0.1"), {"plan.toml:21", "not a list"}},
      {changed("lr = 0.01", "lr = \"fast\""), {"plan.toml:5", "lr"}},
      {changed("[\"MF\"]", "[\"MV\"]"), {"encoder", "'MV'", "'MF'"}},
      {changed("\"BC loss\" = {", "\"BC los\" = {"), {"method", "'BC los'", "'BC loss'"}},
      {changed("name = \"Graph\"", "name = \"mf\""), {"two encoders", "'mf'"}},
      {changed("[0.1487, 0.0706]", "[0.1487]"), {"plan.toml:27", "[recall, ndcg]"}},
      {changed("path = \"y\"", ""), {"[[data]]", "path"}},
      {changed("seeds = [3, 4]", "seeds = []"), {"plan.toml:2", "seeds"}},
      {changed("[common]", "[tuning]\nkind = \"gird\"\n[common]"), {"'gird'", "'grid'"}},
      {changed("[common]", "[common"), {"plan.toml:4", "mend the TOML"}},
  };
  for (const auto& one : cases) {
    const std::string sentence = failure_of(ErrorKind::kConfig, [&] { plan_from(one.text); });
    for (const std::string_view piece : one.pieces) expect_holds(sentence, {piece});
  }
  failure_of(ErrorKind::kConfig, [] { read_plan("/nowhere/plan.toml"); });
}

TEST(Budget, IsANumberOfSettingsOrATime) {
  EXPECT_EQ(parse_budget("20").candidates, 20U);
  EXPECT_EQ(parse_budget("10m").seconds, 600);
  EXPECT_EQ(parse_budget("90s").seconds, 90);
  EXPECT_EQ(parse_budget("1.5h").seconds, 5400);
  for (const char* wrong : {"", "0", "2.5", "-3", "10x", "m", "0m", "1e9"}) {
    expect_holds(failure_of(ErrorKind::kConfig, [&] { parse_budget(wrong); }), {"--budget"});
  }
}

TEST(Axis, IsParsedAndChecked) {
  const SearchAxis axis = parse_axis("tau=0.06,1");
  EXPECT_EQ(axis.name, "tau");
  EXPECT_EQ(axis.values, (std::vector<Value>{0.06, 1.0}));
  expect_holds(failure_of(ErrorKind::kConfig, [] { parse_axis("tua=1"); }), {"'tau'"});
  expect_holds(failure_of(ErrorKind::kConfig, [] { parse_axis("tau"); }), {"tau=0.06,0.08"});
  expect_holds(failure_of(ErrorKind::kConfig, [] { parse_axis("tau=0.1,-1"); }), {"-1"});
}

TEST(AutomaticSpace, HoldsWhatTheLossHasAndNobodySet) {
  const auto names = [](std::string_view loss, std::string_view set) {
    Settings settings = train::run_settings();
    settings.set("loss", loss);
    if (!set.empty()) settings.set(set, std::string_view("0.1"));
    std::string text;
    for (const SearchAxis& axis : automatic_space(settings)) text += axis.name + " ";
    return text;
  };
  EXPECT_EQ(names("bc", ""), "tau margin-strength lr ");
  EXPECT_EQ(names("softmax", ""), "tau lr ");
  EXPECT_EQ(names("softmax", "tau"), "lr ");
  EXPECT_EQ(names("sl-at-k", ""), "tau tau-weight lr ");
  EXPECT_EQ(names("bpr", ""), "lr ");
  EXPECT_EQ(names("most-pop", ""), "");
}

}  // namespace
}  // namespace evenkeel::experiment
