// In: a table worked out by hand. Out: its Markdown, CSV and LaTeX.
#include "experiment/render.h"

#include <gtest/gtest.h>

#include "data/scratch.h"
#include "experiment/compare.h"
#include "experiment/highlight.h"

namespace evenkeel::experiment {
namespace {

using nlohmann::json;
using testing::expect_holds;

json spread(double mean, double sd = 0) {
  return {{"mean", mean}, {"sd", sd}, {"values", {mean - sd, mean + sd}}};
}

json row(const std::string& name, bool ours, double recall, double ndcg, double valid) {
  const json metrics{{"recall", spread(recall, 0.01)}, {"ndcg", spread(ndcg)}};
  json groups;
  for (const char* group : {"head", "mid", "tail"}) groups["t_1"][group] = metrics;
  return {{"method", name},
          {"ours", ours},
          {"paper", json::object()},
          {"chosen", {{"tau", 0.1}}},
          {"candidates", 3},
          {"valid", {{"recall", spread(valid)}, {"ndcg", spread(valid)}}},
          {"tests", {{"t_1", metrics}}},
          {"groups", groups}};
}

// Recall: ours 0.33 is 10 % above the strongest baseline 0.30; NDCG: a baseline is best.
json hand_table() {
  json rows = json::array({row("A", false, 0.30, 0.10, 0.5), row("B & C", false, 0.25, 0.40, 0.9),
                           row("Ours", true, 0.33, 0.20, 0.4)});
  rows[0]["paper"] = {{"t_1", {{"recall", 0.1487}, {"ndcg", 0.0706}}}};
  rows.push_back({{"method", "Broken"},
                  {"ours", false},
                  {"paper", json::object()},
                  {"error", "training diverged"}});
  json comparison;
  comparison["t_1"]["recall"] = {{"ours", "Ours"}, {"baseline", "A"},   {"improvement", 10.0},
                                 {"p", 0.012},     {"low", 0.01},       {"high", 0.05},
                                 {"users", 237},   {"difference", 0.03}};
  return {{"title", "T"},
          {"k", 20},
          {"seeds", {1, 2}},
          {"blocks",
           {{{"data", "D"},
             {"encoder", "MF"},
             {"tests", {"t_1"}},
             {"rows", rows},
             {"comparison", comparison}},
            {{"data", "Gone"}, {"encoder", "MF"}, {"error", "gone: there is no such data"}}}}};
}

TEST(Marks, BestAndStrongestBaseline) {
  const json block = hand_table()["blocks"][0];
  EXPECT_EQ(highlight_of(block, 2, "t_1", "recall"), Highlight::kBest);
  EXPECT_EQ(highlight_of(block, 0, "t_1", "recall"), Highlight::kBaseline);
  EXPECT_EQ(highlight_of(block, 1, "t_1", "recall"), Highlight::kNone);
  EXPECT_EQ(highlight_of(block, 3, "t_1", "recall"), Highlight::kNone);
  EXPECT_EQ(highlight_of(block, 1, "t_1", "ndcg"), Highlight::kBest)
      << "the best baseline is the best";
  EXPECT_EQ(highlight_of(block, 2, "t_1", "ndcg"), Highlight::kNone);
}

TEST(Marks, WithoutOursTheSecondBestIsUnderlined) {
  json block = hand_table()["blocks"][0];
  block["rows"][2]["ours"] = false;
  EXPECT_EQ(highlight_of(block, 2, "t_1", "recall"), Highlight::kBest);
  EXPECT_EQ(highlight_of(block, 0, "t_1", "recall"), Highlight::kBaseline);
  EXPECT_EQ(highlight_of(block, 2, "t_1", "ndcg"), Highlight::kBaseline);
}

TEST(Render, MarkdownHoldsMarksImprovementAndDashes) {
  const std::string text = table_markdown(hand_table(), json{{"blocks", json::array()}});
  expect_holds(
      text,
      {"| method | t_1 Recall@20 | published | t_1 NDCG@20 | published |",
       "| A | <u>0.3000 ± 0.0100</u> | 0.1487 | 0.1000 ± 0.0000 | 0.0706 |",
       "| B & C | 0.2500 ± 0.0100 | – | **0.4000 ± 0.0000** | – |",
       "| Ours | **0.3300 ± 0.0100** | – | 0.2000 ± 0.0000 | – |", "| Broken | – | – | – | – |",
       "Ours against A: **+10.0 %** (p 0.0120, 95 % [+0.0100, +0.0500], 237 users)",
       "Broken has no figures: training diverged", "tau 0.1", "gone: there is no such data"});
}

TEST(Render, TheOverviewHasOursTheBestBaselineAndWhatIsPublished) {
  json table = hand_table();
  table["title"] = "Yahoo!R3, a test";
  const std::string start = "| [Yahoo!R3, a test](#yahoor3-a-test) | D, MF | t_1 | ";
  EXPECT_EQ(
      overview_rows(table),
      start + "Ours: 0.3300 | Ours: 0.3300 | – | A: 0.3000 | +10.0 %, p 0.0120 | A: 0.1487 |\n");
  json& block = table["blocks"][0];
  block["rows"][2]["paper"] = {{"t_1", {{"recall", 0.32}, {"ndcg", 0.2}}}};
  block["comparison"] = json::object();
  EXPECT_EQ(overview_rows(table),
            start + "Ours: 0.3300 | Ours: 0.3300 | – | A: 0.3000 | – | Ours: 0.3200 |\n");
  block["rows"][0]["method"] = "SSM";
  EXPECT_EQ(
      overview_rows(table),
      start + "Ours: 0.3300 | Ours: 0.3300 | SSM: 0.3000 | SSM: 0.3000 | – | Ours: 0.3200 |\n");
  block["rows"][2]["paper"] = json::object();
  block["rows"].erase(0);
  block["rows"].erase(0);  // nobody to compare with
  EXPECT_EQ(overview_rows(table), start + "Ours: 0.3300 | Ours: 0.3300 | – | – | – | – |\n");
  block["rows"][0]["ours"] = false;
  EXPECT_EQ(overview_rows(table), "");
  const auto columns = [](const std::string& text) {
    return std::count(text.begin(), text.begin() + static_cast<long>(text.find('\n')), '|');
  };
  EXPECT_EQ(columns(overview_header()), columns(overview_rows(hand_table())));
}

TEST(Render, TheOverviewTakesOursByValidationNotByTheTest) {
  json table = hand_table();
  json better = table["blocks"][0]["rows"][2];
  better["method"] = "Lucky";
  better["tests"]["t_1"]["recall"] = spread(0.5);
  better["valid"]["recall"] = spread(0.1);
  table["blocks"][0]["rows"].push_back(better);
  expect_holds(overview_rows(table), {"| Lucky: 0.5000 | Ours: 0.3300 | – | A: 0.3000 |"});
}

TEST(Render, LatexEscapesAndMarksSignificance) {
  const std::string text = table_tex(hand_table());
  expect_holds(text, {"t\\_1", "B \\& C & 0.2500", "\\textbf{0.3300 $\\pm$ 0.0100}*",
                      "\\underline{0.3000 $\\pm$ 0.0100}", "\\textbf{0.4000 $\\pm$ 0.0000} \\\\",
                      "Broken & -- & -- \\\\", "Imp.\\,\\% & +10.0\\,\\% & --"});
}

TEST(Render, CsvHasALineForEveryFigure) {
  const std::string text = table_csv(hand_table());
  // Three rows x (valid, test, three groups) x two metrics, and the header.
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 31);
  expect_holds(text, {"D,MF,A,t_1,all,recall@20,0.3,0.01,2,0.1487\n",
                      "D,MF,Ours,t_1,tail,ndcg@20,0.2,0.0,2,\n"});
}

TEST(Render, PopularityFiguresWhereTheRunsHaveThem) {
  json table = hand_table();
  const json cost{{"blocks", json::array()}};
  EXPECT_EQ(table_markdown(table, cost).find("Exposure and popularity"), std::string::npos)
      << "a table of an older experiment";
  table["blocks"][0]["rows"][0]["popularity"]["t_1"] = {{"mean_popularity", spread(1234.5)},
                                                        {"pop_reo", spread(0.51234)}};
  expect_holds(table_markdown(table, cost),
               {"Exposure and popularity, t_1", "| mean_popularity@20 |",
                "| A | – | – | – | 1234 | – | – | 0.5123 | – | – | – |"});
  const std::string csv = table_csv(table);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 33);
  expect_holds(csv, {"D,MF,A,t_1,all,pop_reo@20,0.51234,0.0,2,\n"});
}

TEST(Compare, OursIsChosenOnValidationTheBaselineOnTest) {
  json rows = hand_table()["blocks"][0]["rows"];
  EXPECT_EQ(our_row(rows), 2U);
  EXPECT_EQ(strongest_baseline(rows, 2, "t_1", "recall"), 0U);
  EXPECT_EQ(strongest_baseline(rows, 2, "t_1", "ndcg"), 1U);
  rows.push_back(row("Ours, other", true, 0.99, 0.99, 0.1));
  EXPECT_EQ(our_row(rows), 2U) << "a better test figure must not choose";
  for (json& one : rows) one["ours"] = false;
  EXPECT_EQ(our_row(rows), 1U) << "no row is ours: the best on validation";
}

json comparison(double p, double wilcoxon_p) {
  return {{"ours", "Ours"},    {"baseline", "A"}, {"improvement", 10.0}, {"p", p},
          {"low", 0.01},       {"high", 0.05},    {"users", 237},        {"wilcoxon_p", wilcoxon_p},
          {"difference", 0.03}};
}

TEST(Compare, HolmOverAllComparisonsOfATable) {
  json table = hand_table();
  json& first = table["blocks"][0]["comparison"];
  first["t_1"] = {{"recall", comparison(0.012, 0.2)}, {"ndcg", comparison(0.03, 0.001)}};
  table["blocks"].push_back(table["blocks"][0]);
  table["blocks"][2]["comparison"]["t_1"] = {{"recall", comparison(0.02, 0.04)}};
  adjust_comparisons(table);
  const json& recall = table["blocks"][0]["comparison"]["t_1"]["recall"];
  EXPECT_DOUBLE_EQ(recall["p_holm"], 0.036);
  EXPECT_DOUBLE_EQ(recall["wilcoxon_p_holm"], 0.2);
  EXPECT_DOUBLE_EQ(table["blocks"][0]["comparison"]["t_1"]["ndcg"]["p_holm"], 0.04);
  EXPECT_DOUBLE_EQ(table["blocks"][2]["comparison"]["t_1"]["recall"]["p_holm"], 0.04);
  EXPECT_DOUBLE_EQ(table["blocks"][2]["comparison"]["t_1"]["recall"]["wilcoxon_p_holm"], 0.08);
  EXPECT_EQ(recall["family"], 3);
  EXPECT_EQ(recall["p"], 0.012) << "the plain one stays";
  expect_holds(table_markdown(table, json{{"blocks", json::array()}}),
               {"(p 0.0360, Wilcoxon p 0.2000 (Holm over 3), 95 % [+0.0100, +0.0500], 237 users)"});
  const json once = table;
  adjust_comparisons(table);
  EXPECT_EQ(table, once);
}

TEST(Compare, TheStarNeedsTheAdjustedP) {
  json table = hand_table();
  table["blocks"][0]["comparison"]["t_1"]["ndcg"] = comparison(0.9, 0.9);
  adjust_comparisons(table);
  expect_holds(table_tex(table), {"\\textbf{0.3300 $\\pm$ 0.0100}*"});
  table["blocks"][0]["comparison"]["t_1"]["recall"]["p"] = 0.03;
  adjust_comparisons(table);
  EXPECT_EQ(table_tex(table).find("0.0100}*"), std::string::npos) << "0.06 over two comparisons";
}

TEST(Spread, IsThatOfASample) {
  const Spread three = spread_of({1, 2, 6});
  EXPECT_DOUBLE_EQ(three.mean, 3);
  EXPECT_DOUBLE_EQ(three.sd, std::sqrt(7.0));
  EXPECT_EQ(spread_of({4}).sd, 0);
}

}  // namespace
}  // namespace evenkeel::experiment
