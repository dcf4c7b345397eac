// In: table.json. Out: one LaTeX table for every data set and encoder (booktabs).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "experiment/highlight.h"
#include "experiment/render.h"
#include "experiment/table_block.h"

namespace evenkeel::experiment {
namespace {

using nlohmann::json;

std::string tex_escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("&%$#_{}").find(c) != std::string_view::npos) out += '\\';
    if (c == '\\') {
      out += "\\textbackslash{}";
    } else if (c == '~' || c == '^') {
      out += fmt::format("\\{}{{}}", c);
    } else {
      out += c;
    }
  }
  return out;
}

std::string cell(const json& block, std::size_t row, const std::string& test, const char* metric) {
  const json* spread = spread_at(block["rows"][row], test, metric);
  if (spread == nullptr) return "--";
  std::string text = spread_text(*spread, " $\\pm$ ");
  const Highlight mark = highlight_of(block, row, test, metric);
  if (mark == Highlight::kNone) return text;
  const json comparison = block["comparison"].value(test, json::object());
  const bool star = mark == Highlight::kBest && comparison.contains(metric) &&
                    comparison[metric]["ours"] == block["rows"][row]["method"] &&
                    adjusted_p(comparison[metric], "p") < 0.05;
  return fmt::format("\\{}{{{}}}{}", mark == Highlight::kBest ? "textbf" : "underline", text,
                     star ? "*" : "");
}

std::string improvement_row(const json& block) {
  std::vector<std::string> cells{"Imp.\\,\\%"};
  for (const std::string test : block["tests"]) {
    const json comparison = block["comparison"].value(test, json::object());
    for (const char* metric : kTableMetrics) {
      std::string text = comparison.contains(metric) ? improvement_text(comparison[metric]) : "--";
      cells.push_back(text.ends_with('%') ? text.substr(0, text.size() - 2) + "\\,\\%" : text);
    }
  }
  return fmt::format("{} \\\\\n", fmt::join(cells, " & "));
}

std::string block_tex(const json& block, std::size_t k) {
  std::string columns = "l";
  std::string tests = " ", metrics = " ";
  for (const std::string test : block["tests"]) {
    columns += "|cc";
    tests += fmt::format("& \\multicolumn{{2}}{{c}}{{{}}} ", tex_escaped(test));
    metrics += fmt::format("& {} & {} ", metric_title("recall", k), metric_title("ndcg", k));
  }
  std::string text = fmt::format(
      "\\begin{{table}}[t]\n\\centering\n\\caption{{{}, {}. Bold: best; underlined: strongest "
      "baseline; *: p < 0.05 over users (paired t-test, Holm's correction over the "
      "tables).}}\n\\begin{{tabular}}{{{}}}\n\\toprule\n"
      "{}\\\\\n{}\\\\\n\\midrule\n",
      tex_escaped(block["data"].get<std::string>()),
      tex_escaped(block["encoder"].get<std::string>()), columns, tests, metrics);
  for (std::size_t r = 0; r < block["rows"].size(); ++r) {
    std::vector<std::string> cells{tex_escaped(block["rows"][r]["method"].get<std::string>())};
    for (const std::string test : block["tests"]) {
      for (const char* metric : kTableMetrics) cells.push_back(cell(block, r, test, metric));
    }
    text += fmt::format("{} \\\\\n", fmt::join(cells, " & "));
  }
  return text + "\\midrule\n" + improvement_row(block) +
         "\\bottomrule\n\\end{tabular}\n\\end{table}\n";
}

}  // namespace

std::string table_tex(const json& table) {
  std::string text;
  for (const json& block : table["blocks"]) {
    if (block.contains("error")) continue;
    text += (text.empty() ? "" : "\n") + block_tex(block, table["k"].get<std::size_t>());
  }
  return text;
}

}  // namespace evenkeel::experiment
