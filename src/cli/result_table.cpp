// In: evaluations as JSON. Out: their table.
#include "cli/result_table.h"

#include <fmt/format.h>

#include "cli/table.h"
#include "eval/evaluate.h"

namespace evenkeel::cli {
namespace {

std::vector<std::string> metric_cells(const nlohmann::json& entry, std::size_t k) {
  std::vector<std::string> cells;
  for (const char* metric : {"recall", "ndcg", "hr"}) {
    cells.push_back(figure(entry, fmt::format("{}@{}", metric, k)));
  }
  const auto users = entry.find("users");
  cells.push_back(users == entry.end() ? "-" : grouped_digits(users->get<std::uint64_t>()));
  return cells;
}

std::vector<std::string> header(std::vector<std::string> first, std::size_t k) {
  for (const char* metric : {"recall", "ndcg", "hr"}) {
    first.push_back(fmt::format("{}@{}", metric, k));
  }
  first.emplace_back("users");
  return first;
}

std::vector<std::string> row(std::vector<std::string> names, const nlohmann::json& entry,
                             std::size_t k) {
  for (std::string& cell : metric_cells(entry, k)) names.push_back(std::move(cell));
  return names;
}

}  // namespace

std::string figure(const nlohmann::json& entry, const std::string& key, int decimals) {
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_number()) return "-";
  return fmt::format("{:.{}f}", found->get<double>(), decimals);
}

std::string evaluations_table(const nlohmann::json& evaluations, std::size_t k) {
  Table table(header({"part"}, k));
  if (evaluations.contains("valid")) table.add(row({"valid"}, evaluations["valid"], k));
  for (const auto& [name, entry] : evaluations.items()) {
    if (name != "valid") table.add(row({name}, entry, k));
  }
  return table.text();
}

std::string groups_table(const nlohmann::json& groups, std::size_t k) {
  Table table(header({"part and group"}, k));
  for (const auto& [part, sides] : groups.items()) {
    for (const char* side : {"items", "users"}) {
      if (!sides.contains(side)) continue;
      for (const std::string_view group : eval::kGroupNames) {
        if (!sides[side].contains(group)) continue;
        table.add(row({fmt::format("{} {} {}", part, group, side)}, sides[side][group], k));
      }
    }
  }
  return table.text();
}

std::string popularity_table(const nlohmann::json& evaluations, std::size_t k) {
  std::vector<std::string> parts;
  if (evaluations.contains("valid")) parts.emplace_back("valid");
  for (const auto& [name, entry] : evaluations.items()) {
    if (name != "valid") parts.push_back(name);
  }
  std::vector<std::string> names{"exposure and popularity"};
  names.insert(names.end(), parts.begin(), parts.end());
  Table table(names);
  for (const eval::ExposureEntry& exposure : eval::exposure_table()) {
    const std::string key = fmt::format("{}@{}", exposure.name, k);
    std::vector<std::string> cells{key};
    for (const std::string& part : parts) cells.push_back(figure(evaluations[part], key));
    table.add(cells);
  }
  return table.text();
}

}  // namespace evenkeel::cli
