// In: configurations. Out: groups and axes, by what differs in them.
#include "report/methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "io/json_text.h"
#include "train/run.h"

namespace evenkeel::report {
namespace {

using nlohmann::json;

// Options that change how a run is made but not what it means.
bool is_circumstance(const Settings& known, const std::string& key) {
  if (!known.has(key)) return false;
  const Effect effect = known.field(key).effect;
  return effect == Effect::kSeed || effect == Effect::kSpeed;
}

json meaning_of(const RunRecord& run) {
  static const Settings known = train::run_settings();
  json config = json::object();
  for (const auto& [key, value] : run.config.items()) {
    if (!is_circumstance(known, key)) config[key] = value;
  }
  return config;
}

std::string value_text(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// A configuration may come from an edited result.json: any option may be missing or of any type.
std::string loss_of(const json& config, const char* otherwise) {
  return config.contains("loss") ? value_text(config["loss"]) : otherwise;
}

// Options in which the configurations differ, in name order.
std::vector<std::string> differing_keys(const std::vector<json>& configs) {
  std::set<std::string> keys;
  if (configs.empty()) return {};
  for (const json& config : configs) {
    for (const auto& [key, value] : config.items()) {
      const auto first = configs.front().find(key);
      if (first == configs.front().end() || *first != value) keys.insert(key);
    }
  }
  return {keys.begin(), keys.end()};
}

std::string given_name(const json& config) {
  return config.contains("name") ? value_text(config["name"]) : "";
}

// How settings of one loss are told apart: options that vary, the most varied first, and before
// them, where a run has it, what departs from a value that most of them share.
struct Naming {
  std::vector<std::string> varied;
  std::map<std::string, json> usual;
};

Naming naming_of(const std::vector<json>& configs) {
  Naming naming;
  std::map<std::string, std::size_t> distinct;
  for (const std::string& key : differing_keys(configs)) {
    std::map<std::string, std::size_t> uses;
    for (const json& config : configs) ++uses[config.value(key, json()).dump()];
    const auto most = std::max_element(
        uses.begin(), uses.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    if (2 * most->second > configs.size()) {
      naming.usual[key] = json::parse(most->first);
    } else {
      naming.varied.push_back(key);
      distinct[key] = uses.size();
    }
  }
  std::stable_sort(
      naming.varied.begin(), naming.varied.end(),
      [&](const std::string& a, const std::string& b) { return distinct[a] > distinct[b]; });
  return naming;
}

// The name that the run was given, else the loss where there are several, then what differs. Names
// are cut at the right in plots, so that what all share must not come first.
std::string label_of(const json& config, const Naming& naming, bool one_loss) {
  constexpr std::size_t kMostKeys = 4;
  if (std::string name = given_name(config); !name.empty()) return name;
  std::vector<std::string> keys;
  for (const auto& [key, usual] : naming.usual) {
    if (config.value(key, json()) != usual) keys.push_back(key);
  }
  keys.insert(keys.end(), naming.varied.begin(), naming.varied.end());
  std::string loss = loss_of(config, "unknown loss");
  std::vector<std::string> words;
  for (const std::string& key : keys) {
    if (key == "loss" || key == "name" || !config.contains(key) || words.size() == kMostKeys) {
      continue;
    }
    words.push_back(fmt::format("{} {}", key, value_text(config[key])));
  }
  if (words.empty()) return loss;
  return one_loss ? fmt::format("{} ({})", fmt::join(words, ", "), loss)
                  : fmt::format("{} ({})", loss, fmt::join(words, ", "));
}

void make_unique(std::vector<MethodGroup>& groups) {
  std::map<std::string, int> uses;
  for (MethodGroup& group : groups) {
    const int use = ++uses[group.label];
    if (use > 1) group.label += fmt::format(" #{}", use);
  }
}

// Runs that differ in one option alone.
struct Rest {
  std::size_t first = 0;         // run
  json others = json::object();  // all other options
  std::map<std::string, SweepAxis::Place> places;
};

SweepAxis make_axis(const std::string& method, const std::string& key,
                    const std::map<std::string, SweepAxis::Place>& places) {
  SweepAxis axis;
  axis.key = key;
  axis.method = method;
  axis.numeric = true;
  for (const auto& [text, place] : places) {
    axis.numeric = axis.numeric && place.value.is_number();
    axis.places.push_back(place);
  }
  if (axis.numeric) {
    std::sort(axis.places.begin(), axis.places.end(), [](const auto& a, const auto& b) {
      return a.value.template get<double>() < b.value.template get<double>();
    });
  }
  return axis;
}

// The sweeps of one option. Several of one loss are told apart by what else differs among them.
std::vector<SweepAxis> axes_of(const std::vector<RunRecord>& runs, const std::string& key,
                               const std::map<std::string, Rest>& rest) {
  const auto name_of = [&](const Rest& same) {
    return fmt::format("{} with {}", runs[same.first].text("loss"),
                       runs[same.first].text("encoder"));
  };
  std::map<std::string, std::vector<json>> alike;
  for (const auto& [text, same] : rest) {
    if (same.places.size() > 1) alike[name_of(same)].push_back(same.others);
  }
  std::vector<SweepAxis> axes;
  for (const auto& [text, same] : rest) {
    if (same.places.size() < 2) continue;
    std::string name = name_of(same);
    for (const std::string& other : differing_keys(alike[name_of(same)])) {
      if (same.others.contains(other)) {
        name += fmt::format(", {} {}", other, value_text(same.others[other]));
      }
    }
    axes.push_back(make_axis(name, key, same.places));
  }
  return axes;
}

// `negatives = "64"` is text in the configuration, but a number to whoever looks at an axis.
json axis_value(const json& value) {
  if (!value.is_string()) return value;
  const json parsed = io::parse_json(value.get<std::string>());
  return parsed.is_number() ? parsed : value;
}

}  // namespace

std::vector<MethodGroup> group_methods(const std::vector<RunRecord>& runs,
                                       const std::vector<std::size_t>& members) {
  std::vector<MethodGroup> groups;
  std::vector<json> configs;
  for (const std::size_t run : members) {
    json config = meaning_of(runs[run]);
    const auto known = std::find(configs.begin(), configs.end(), config);
    if (known != configs.end()) {
      groups[static_cast<std::size_t>(known - configs.begin())].runs.push_back(run);
      continue;
    }
    configs.push_back(std::move(config));
    groups.push_back({"", {run}});
  }
  std::map<std::string, std::vector<json>> by_loss;
  for (const json& config : configs) {
    std::vector<json>& same = by_loss[loss_of(config, "")];
    if (given_name(config).empty()) same.push_back(config);  // others need no telling apart
  }
  std::map<std::string, Naming> naming;
  for (const auto& [loss, same] : by_loss) naming[loss] = naming_of(same);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    groups[g].label = label_of(configs[g], naming[loss_of(configs[g], "")], by_loss.size() == 1);
  }
  make_unique(groups);
  return groups;
}

std::vector<SweepAxis> find_sweeps(const std::vector<RunRecord>& runs,
                                   const std::vector<std::size_t>& members) {
  std::vector<json> configs;
  configs.reserve(members.size());
  for (const std::size_t run : members) {
    configs.push_back(meaning_of(runs[run]));
    configs.back().erase("name");  // a run of a sweep may have been given one
  }
  std::vector<SweepAxis> sweeps;
  if (configs.empty()) return sweeps;
  for (const std::string& key : differing_keys(configs)) {
    if (key == "loss" || key == "encoder") continue;
    std::map<std::string, Rest> rest;  // by all other options
    for (std::size_t n = 0; n < members.size(); ++n) {
      json others = configs[n];
      others.erase(key);
      if (!configs[n].contains(key)) continue;
      Rest& same = rest[others.dump()];
      if (same.places.empty()) same.first = members[n], same.others = others;
      SweepAxis::Place& place = same.places[configs[n][key].dump()];
      place.value = axis_value(configs[n][key]);
      place.runs.push_back(members[n]);
    }
    for (SweepAxis& axis : axes_of(runs, key, rest)) sweeps.push_back(std::move(axis));
  }
  return sweeps;
}

}  // namespace evenkeel::report
