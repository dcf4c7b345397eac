// In: table.json and cost.json. Out: Markdown and CSV.
#include "experiment/render.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <vector>

#include "eval/evaluate.h"
#include "experiment/compare.h"
#include "experiment/highlight.h"
#include "experiment/table_block.h"

namespace evenkeel::experiment {
namespace {

using nlohmann::json;
using Cells = std::vector<std::string>;

constexpr const char* kDash = "–";

std::string cell_escaped(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
    text.insert(at, 1, '\\');
  }
  return text;
}

std::string line(const Cells& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += " " + cell_escaped(cell) + " |";
  return text + "\n";
}

std::string header(const Cells& cells) {
  std::string text = line(cells) + "|---|";
  for (std::size_t i = 1; i < cells.size(); ++i) text += "---:|";
  return text + "\n";
}

bool has_paper(const json& block) {
  for (const json& row : block.at("rows")) {
    if (!row.at("paper").empty()) return true;
  }
  return false;
}

std::string marked(const std::string& text, Highlight mark) {
  if (mark == Highlight::kBest) return "**" + text + "**";
  return mark == Highlight::kBaseline ? "<u>" + text + "</u>" : text;
}

std::string paper_cell(const json& row, const std::string& test, const char* metric) {
  const auto figure = row.at("paper").find(test);
  return figure == row.at("paper").end() ? kDash
                                         : fmt::format("{:.4f}", figure->at(metric).get<double>());
}

std::string main_table(const json& block, std::size_t k) {
  const bool paper = has_paper(block);
  Cells names{"method"};
  for (const std::string test : block.at("tests")) {
    for (const char* metric : kTableMetrics) {
      names.push_back(fmt::format("{} {}", test, metric_title(metric, k)));
      if (paper) names.emplace_back("published");
    }
  }
  std::string text = header(names);
  for (std::size_t r = 0; r < block.at("rows").size(); ++r) {
    const json& row = block.at("rows").at(r);
    Cells cells{row.at("method").get<std::string>()};
    for (const std::string test : block.at("tests")) {
      for (const char* metric : kTableMetrics) {
        const json* spread = spread_at(row, test, metric);
        cells.push_back(spread == nullptr ? kDash
                                          : marked(spread_text(*spread, " ± "),
                                                   highlight_of(block, r, test, metric)));
        if (paper) cells.push_back(paper_cell(row, test, metric));
      }
    }
    text += line(cells);
  }
  return text;
}

std::string comparison_list(const json& block, std::size_t k) {
  std::string text;
  for (const auto& [test, metrics] : block.at("comparison").items()) {
    for (const char* metric : kTableMetrics) {
      if (!metrics.contains(metric)) continue;
      const json& entry = metrics.at(metric);
      text +=
          fmt::format("- {} {}: {} against {}: **{}** ({})\n", test, metric_title(metric, k),
                      entry.at("ours").get<std::string>(), entry.at("baseline").get<std::string>(),
                      improvement_text(entry), significance_text(entry));
    }
  }
  for (const json& row : block.at("rows")) {
    if (row.contains("error")) {
      text += fmt::format("- {} has no figures: {}\n", row.at("method").get<std::string>(),
                          row.at("error").get<std::string>());
    }
  }
  return text;
}

std::string options_cell(const json& options) {
  std::vector<std::string> words;
  for (const auto& [name, value] : options.items()) {
    words.push_back(name + " " + (value.is_string() ? value.get<std::string>() : value.dump()));
  }
  return words.empty() ? kDash : fmt::format("{}", fmt::join(words, ", "));
}

std::string chosen_table(const json& block, std::size_t k) {
  std::string text =
      header({"method", "valid " + metric_title("recall", k), "candidates", "chosen"});
  for (const json& row : block.at("rows")) {
    if (!row.contains("chosen")) continue;
    text += line({row.at("method").get<std::string>(),
                  row.contains("valid") ? spread_text(row.at("valid").at("recall"), " ± ") : kDash,
                  row.at("candidates").dump(), options_cell(row.at("chosen"))});
  }
  return text;
}

std::string groups_table(const json& block, const std::string& test, std::size_t k) {
  Cells names{"method"};
  for (const char* metric : kTableMetrics) {
    for (const std::string_view group : eval::kGroupNames) {
      names.push_back(fmt::format("{} {}", group, metric_title(metric, k)));
    }
  }
  std::string text = header(names);
  for (const json& row : block.at("rows")) {
    if (!row.contains("groups")) continue;
    Cells cells{row.at("method").get<std::string>()};
    for (const char* metric : kTableMetrics) {
      for (const std::string_view group : eval::kGroupNames) {
        const double mean = row.at("groups").at(test).at(group).at(metric).at("mean").get<double>();
        cells.push_back(fmt::format("{:.5f}", mean));  // tail figures are small
      }
    }
    text += line(cells);
  }
  return text;
}

// The figure at rows[row][popularity][test][name], null when the run did not record it.
const json* popularity_at(const json& row, const std::string& test, const std::string& name) {
  if (!row.contains("popularity") || !row.at("popularity").contains(test)) return nullptr;
  const json& figures = row.at("popularity").at(test);
  return figures.contains(name) ? &figures.at(name) : nullptr;
}

// Empty when no row has such figures: tables of an older experiment.
std::string popularity_table(const json& block, const std::string& test, std::size_t k) {
  Cells names{"method"};
  for (const eval::ExposureEntry& entry : eval::exposure_table()) {
    names.push_back(fmt::format("{}@{}", entry.name, k));
  }
  std::string lines;
  for (const json& row : block.at("rows")) {
    if (!row.contains("popularity")) continue;
    Cells cells{row.at("method").get<std::string>()};
    for (const eval::ExposureEntry& entry : eval::exposure_table()) {
      const json* spread = popularity_at(row, test, std::string(entry.name));
      cells.push_back(spread == nullptr ? kDash
                                        : fmt::format("{:.4g}", spread->at("mean").get<double>()));
    }
    lines += line(cells);
  }
  return lines.empty() ? "" : header(names) + lines;
}

std::string cost_table(const json& cost, const json& block) {
  std::string text = header({"method", "seconds per epoch", "epochs", "seconds in total",
                             "seconds of tuning", "tuning runs", "peak memory, MB"});
  for (const json& one : cost.value("blocks", json::array())) {
    if (one.at("data") != block.at("data") || one.at("encoder") != block.at("encoder")) continue;
    for (const json& row : one.at("rows")) {
      text += line({row.at("method").get<std::string>(),
                    fmt::format("{:.2f}", row.at("seconds_per_epoch").get<double>()),
                    fmt::format("{:.0f}", row.at("epochs").get<double>()),
                    fmt::format("{:.1f}", row.at("train_seconds").get<double>()),
                    fmt::format("{:.1f}", row.at("tuning_seconds").get<double>()),
                    row.at("tuning_runs").dump(),
                    fmt::format("{:.0f}", row.at("peak_memory_bytes").get<double>() / 1e6)});
    }
  }
  return text;
}

// The anchor of a heading, as GitHub makes it: small letters, no punctuation, "-" for a blank.
std::string anchor(const std::string& heading) {
  std::string text;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ' || c == '-') {
      text += '-';
    } else if (byte >= 0x80 || c == '_' || std::isalnum(byte) != 0) {
      text += static_cast<char>(std::tolower(byte));
    }
  }
  return text;
}

std::string named(const json& row, double figure) {
  return fmt::format("{}: {:.4f}", row.at("method").get<std::string>(), figure);
}

// The best that is published for a block, of whatever row.
std::string published_cell(const json& rows, const std::string& test) {
  const json* best = nullptr;
  const auto figure = [&](const json& row) {
    return row.at("paper").at(test).at("recall").get<double>();
  };
  for (const json& row : rows) {
    if (!row.at("paper").contains(test)) continue;
    if (best == nullptr || figure(row) > figure(*best)) best = &row;
  }
  return best == nullptr ? kDash : named(*best, figure(*best));
}

// The best row that `counts`, by Recall.
template <typename Counts>
std::string best_cell(const json& rows, const std::string& test, Counts counts) {
  const json* best = nullptr;
  double most = -1;
  for (const json& row : rows) {
    const json* spread = spread_at(row, test, "recall");
    if (spread == nullptr || !counts(row.at("method").get<std::string>())) continue;
    if (const double mean = spread->at("mean").get<double>(); mean > most) {
      most = mean;
      best = &row;
    }
  }
  return best == nullptr ? kDash : named(*best, most);
}

std::string overview_line(const json& table, const json& block, std::size_t ours,
                          const std::string& test) {
  const json& rows = block.at("rows");
  const std::string title = table.at("title").get<std::string>();
  const json* own = spread_at(rows.at(ours), test, "recall");
  const auto baseline = strongest_baseline(rows, ours, test, "recall");
  const json* other = baseline ? spread_at(rows.at(*baseline), test, "recall") : nullptr;
  const auto mean = [](const json& spread) { return spread.at("mean").get<double>(); };
  std::string difference = kDash;
  if (const auto pair = block.at("comparison").find(test);
      pair != block.at("comparison").end() && pair->contains("recall")) {
    const json& entry = pair->at("recall");
    difference = fmt::format("{}, p {}", improvement_text(entry), p_text(adjusted_p(entry, "p")));
  }
  return line(
      {fmt::format("[{}](#{})", title, anchor(title)),
       fmt::format("{}, {}", block.at("data").get<std::string>(),
                   block.at("encoder").get<std::string>()),
       test, best_cell(rows, test, [](const std::string&) { return true; }),
       own == nullptr ? kDash : named(rows.at(ours), mean(*own)),
       best_cell(rows, test,
                 [](const std::string& name) { return name == "SSM" || name == "softmax"; }),
       other == nullptr ? kDash : named(rows.at(*baseline), mean(*other)), difference,
       published_cell(rows, test)});
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

}  // namespace

std::string table_markdown(const json& table, const json& cost, int level) {
  const auto k = table.at("k").get<std::size_t>();
  const std::string marks(static_cast<std::size_t>(level), '#');
  std::string text;
  for (const json& block : table.at("blocks")) {
    text += fmt::format("{} {}, {}\n\n", marks, block.at("data").get<std::string>(),
                        block.at("encoder").get<std::string>());
    if (block.contains("error")) {
      text += block.at("error").get<std::string>() + "\n\n";
      continue;
    }
    text += main_table(block, k) + "\n" + comparison_list(block, k) + "\n";
    text += fmt::format("{}# Chosen on validation\n\n{}\n", marks, chosen_table(block, k));
    for (const std::string test : block.at("tests")) {
      text += fmt::format("{}# Item groups, {}\n\n{}\n", marks, test, groups_table(block, test, k));
      const std::string popularity = popularity_table(block, test, k);
      if (popularity.empty()) continue;
      text += fmt::format("{}# Exposure and popularity, {}\n\n{}\n", marks, test, popularity);
    }
    text += fmt::format("{}# Cost of a training\n\n{}\n", marks, cost_table(cost, block));
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

std::string overview_header() {
  return header({"experiment", "data set", "test", "best", "ours", "softmax", "best baseline",
                 "ours against it", "best published"});
}

std::string overview_rows(const json& table) {
  std::string lines;
  for (const json& block : table.at("blocks")) {
    if (!block.contains("rows")) continue;  // the data was missing
    const json& rows = block.at("rows");
    const auto ours = our_row(rows);
    if (!ours || !rows.at(*ours).at("ours").get<bool>()) continue;
    for (const std::string test : block.at("tests")) {
      lines += overview_line(table, block, *ours, test);
    }
  }
  return lines;
}

std::string table_csv(const json& table) {
  std::string text = "data,encoder,method,part,group,metric,mean,sd,seeds,paper\n";
  for (const json& block : table.at("blocks")) {
    for (const json& row : block.value("rows", json::array())) {
      const auto add_line = [&](const std::string& part, const std::string& group,
                                const std::string& metric, const json& spread,
                                const std::string& paper) {
        text += fmt::format(
            "{},{},{},{},{},{}@{},{},{},{},{}\n", quoted(block.at("data").get<std::string>()),
            quoted(block.at("encoder").get<std::string>()),
            quoted(row.at("method").get<std::string>()), part, group, metric, table.at("k").dump(),
            spread.at("mean").dump(), spread.at("sd").dump(), spread.at("values").size(), paper);
      };
      const auto add = [&](const std::string& part, const std::string& group, const json& metrics,
                           bool paper) {
        for (const char* metric : kTableMetrics) {
          const std::string figure = paper ? paper_cell(row, part, metric) : kDash;
          add_line(part, group, metric, metrics.at(metric), figure == kDash ? "" : figure);
        }
      };
      if (row.contains("valid")) add("valid", "all", row.at("valid"), false);
      for (const std::string test : block.at("tests")) {
        if (!row.contains("tests")) continue;
        add(test, "all", row.at("tests").at(test), true);
        for (const std::string_view group : eval::kGroupNames) {
          add(test, std::string(group), row.at("groups").at(test).at(group), false);
        }
        for (const eval::ExposureEntry& entry : eval::exposure_table()) {
          const std::string name(entry.name);
          const json* spread = popularity_at(row, test, name);
          if (spread != nullptr) add_line(test, "all", name, *spread, "");
        }
      }
    }
  }
  return text;
}

}  // namespace evenkeel::experiment
