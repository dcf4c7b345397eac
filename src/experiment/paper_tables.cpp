// In: experiments/tables.toml and tables. Out: which table of the paper is reproduced, partly, not.
#include "experiment/paper_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "experiment/compare.h"
#include "experiment/toml_section.h"

namespace evenkeel::experiment {
namespace {

using nlohmann::json;

constexpr double kSignificant = 0.05;

PaperTable::Block read_block(const Section& section, const toml::node& node) {
  const toml::array* three = node.as_array();
  const auto text = [&](std::size_t i) {
    const auto value = three != nullptr && three->size() == 3
                           ? three->get(i)->value_exact<std::string>()
                           : std::optional<std::string>();
    if (!value) {
      fail_config("{} holds something else than [\"DATA\", \"ENCODER\", \"TEST\"]",
                  section.place("blocks"));
    }
    return *value;
  };
  return {text(0), text(1), text(2)};
}

PaperTable read_table(const std::string& path, const toml::table& table) {
  const Section section(path, table, "[[table]]",
                        {"name", "folder", "experiments", "why", "hours", "blocks"});
  PaperTable one;
  one.name = section.name();
  one.folder = section.text("folder");
  one.experiments = section.texts("experiments");
  one.why = section.text("why");
  one.hours = static_cast<double>(section.integer("hours", 0, 0));
  const toml::node* blocks = section.find("blocks");
  if (blocks == nullptr || !blocks->is_array()) {
    fail_config("{} has no blocks; write blocks = [[\"DATA\", \"ENCODER\", \"TEST\"]]",
                section.own_place());
  }
  for (const toml::node& node : *blocks->as_array()) {
    one.blocks.push_back(read_block(section, node));
  }
  return one;
}

bool has(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

const json* find_block(std::span<const json> results, const PaperTable& paper,
                       const PaperTable::Block& wanted) {
  for (const json& table : results) {
    if (!has(paper.experiments, table.at("title").get<std::string>())) continue;
    for (const json& block : table.at("blocks")) {
      if (!block.contains("rows") || block.at("data") != wanted.data ||
          block.at("encoder") != wanted.encoder) {
        continue;
      }
      if (has(block.at("tests").get<std::vector<std::string>>(), wanted.test)) return &block;
    }
  }
  return nullptr;
}

struct Tally {
  std::size_t run = 0, ahead = 0, equal = 0, behind = 0;
  std::vector<std::string> ours, paper, baseline;
};

void add_part(std::vector<std::string>& list, const PaperTable::Block& block,
              const std::string& text) {
  list.push_back(fmt::format("{} {} {}: {}", block.data, block.encoder, block.test, text));
}

void add_block(const PaperTable::Block& wanted, const json& block, Tally& tally) {
  const json& rows = block.at("rows");
  const auto ours = our_row(rows);
  const json comparison = block.at("comparison").value(wanted.test, json::object());
  if (!ours || !comparison.contains("recall")) return;
  ++tally.run;
  const json& entry = comparison.at("recall");
  const bool clear = entry.value("p_holm", entry.at("p").get<double>()) < kSignificant;
  const double difference = entry.at("difference").get<double>();
  ++(!clear ? tally.equal : difference > 0 ? tally.ahead : tally.behind);
  const auto figure = [&](const json& row) {
    return row.at("tests").at(wanted.test).at("recall").at("mean").get<double>();
  };
  const json& own = rows.at(*ours);
  add_part(tally.ours, wanted,
           fmt::format("{:.4f} ({})", figure(own), own.at("method").get<std::string>()));
  double best = -1;
  for (const json& row : rows) {
    if (row.at("paper").contains(wanted.test) && row.at("method") == "BC loss") {
      add_part(tally.paper, wanted,
               fmt::format("{:.4f}", row.at("paper").at(wanted.test).at("recall").get<double>()));
    }
    if (row.at("method") == entry.at("baseline")) best = figure(row);
  }
  add_part(tally.baseline, wanted,
           fmt::format("{:.4f} ({})", best, entry.at("baseline").get<std::string>()));
}

std::string state_of(const PaperTable& table, const Tally& tally) {
  if (tally.run == 0) return "**not yet run**";
  const bool whole = tally.run == table.blocks.size();
  const char* word = whole && tally.ahead == tally.run               ? "reproduced"
                     : whole && tally.ahead == 0 && tally.equal == 0 ? "not reproduced"
                                                                     : "partly";
  return fmt::format("**{}**: {} of {} blocks run, BC loss ahead in {}, equal in {}, behind in {}",
                     word, tally.run, table.blocks.size(), tally.ahead, tally.equal, tally.behind);
}

std::string joined(const std::vector<std::string>& parts) {
  return parts.empty() ? "–" : fmt::format("{}", fmt::join(parts, "<br>"));
}

}  // namespace

std::vector<PaperTable> read_paper_tables(const std::string& path) {
  const toml::table file = parse_toml(path);
  const Section section(path, file, path, {"table"});
  std::vector<PaperTable> tables;
  for_tables(section, "table",
             [&](const toml::table& table) { tables.push_back(read_table(path, table)); });
  return tables;
}

std::string paper_screen(const std::vector<PaperTable>& tables, std::span<const json> results) {
  std::string text =
      "| table of the paper | state | ours here | BC loss in the paper | best baseline here | why, "
      "and what is left |\n|---|---|---|---|---|---|\n";
  for (const PaperTable& table : tables) {
    Tally tally;
    for (const PaperTable::Block& wanted : table.blocks) {
      const json* block = find_block(results, table, wanted);
      if (block != nullptr) add_block(wanted, *block, tally);
    }
    std::string left = table.why;
    if (tally.run < table.blocks.size()) {
      left += fmt::format("{}About {:.0f} hours on 2 cores for all of it, an estimate (`{}`).",
                          left.empty() ? "" : " ", table.hours, table.folder);
    }
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", table.name, state_of(table, tally),
                        joined(tally.ours), joined(tally.paper), joined(tally.baseline), left);
  }
  return text;
}

}  // namespace evenkeel::experiment
