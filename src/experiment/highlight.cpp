// In: figures. Out: marks and words for them.
#include "experiment/highlight.h"

#include <fmt/format.h>

namespace evenkeel::experiment {
namespace {

using nlohmann::json;

// The row with the highest mean among those that `takes_part` lets in.
template <typename TakesPart>
std::optional<std::size_t> highest(const json& rows, const std::string& test,
                                   const std::string& metric, TakesPart takes_part) {
  std::optional<std::size_t> best;
  double best_mean = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const json* spread = spread_at(rows[i], test, metric);
    if (spread == nullptr || !takes_part(i)) continue;
    const double mean = spread->at("mean").get<double>();
    if (!best || mean > best_mean) {
      best = i;
      best_mean = mean;
    }
  }
  return best;
}

}  // namespace

const json* spread_at(const json& row, const std::string& test, const std::string& metric) {
  if (!row.contains("tests") || !row.at("tests").contains(test)) return nullptr;
  return &row.at("tests").at(test).at(metric);
}

Highlight highlight_of(const json& block, std::size_t row, const std::string& test,
                       const std::string& metric) {
  const json& rows = block.at("rows");
  const auto best = highest(rows, test, metric, [](std::size_t) { return true; });
  if (!best) return Highlight::kNone;
  if (row == *best) return Highlight::kBest;
  bool marked = false;
  for (const json& one : rows) marked = marked || one.at("ours").get<bool>();
  const auto baseline = highest(rows, test, metric, [&](std::size_t i) {
    return marked ? !rows[i].at("ours").get<bool>() : i != *best;
  });
  return baseline && row == *baseline ? Highlight::kBaseline : Highlight::kNone;
}

std::string spread_text(const json& spread, const char* plus_minus) {
  std::string mean = fmt::format("{:.4f}", spread.at("mean").get<double>());
  if (spread.at("values").size() < 2) return mean;
  return fmt::format("{}{}{:.4f}", mean, plus_minus, spread.at("sd").get<double>());
}

std::string improvement_text(const json& comparison) {
  if (!comparison.contains("improvement")) return "-";
  return fmt::format("{:+.1f} %", comparison.at("improvement").get<double>());
}

double adjusted_p(const json& comparison, const std::string& key) {
  const auto adjusted = comparison.find(key + "_holm");
  return (adjusted != comparison.end() ? *adjusted : comparison.at(key)).get<double>();
}

std::string p_text(double p) {
  return p < 1e-4 ? "< 0.0001" : fmt::format("{:.4f}", p);
}

std::string significance_text(const json& comparison) {
  std::string text = fmt::format("p {}", p_text(adjusted_p(comparison, "p")));
  if (comparison.contains("wilcoxon_p")) {
    text += fmt::format(", Wilcoxon p {}", p_text(adjusted_p(comparison, "wilcoxon_p")));
  }
  if (const auto family = comparison.value("family", std::size_t{1}); family > 1) {
    text += fmt::format(" (Holm over {})", family);
  }
  return fmt::format("{}, 95 % [{:+.4f}, {:+.4f}], {} users", text,
                     comparison.at("low").get<double>(), comparison.at("high").get<double>(),
                     comparison.at("users").get<std::size_t>());
}

std::string metric_title(const std::string& metric, std::size_t k) {
  return fmt::format("{}@{}", metric == "ndcg" ? "NDCG" : "Recall", k);
}

}  // namespace evenkeel::experiment
