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
  for (const json& config : configs) {
    for (const auto& [key, value] : config.items()) {
      const auto first = configs.front().find(key);
      if (first == configs.front().end() || *first != value) keys.insert(key);
    }
  }
  return {keys.begin(), keys.end()};
}

// The name that the run was given, else what differs: the loss where there are several, then the
// options. Names are cut at the right in plots, so that what all share must not come first.
std::string label_of(const json& config, const std::vector<std::string>& keys, bool one_loss) {
  constexpr std::size_t kMostKeys = 4;
  if (std::string name = config.contains("name") ? value_text(config["name"]) : ""; !name.empty()) {
    return name;
  }
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

SweepAxis make_axis(const RunRecord& first, const std::string& key,
                    const std::map<std::string, SweepAxis::Place>& places) {
  SweepAxis axis;
  axis.key = key;
  axis.method = fmt::format("{} with {}", first.text("loss"), first.text("encoder"));
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
  for (const json& config : configs) by_loss[loss_of(config, "")].push_back(config);
  std::map<std::string, std::vector<std::string>> keys;
  for (const auto& [loss, same] : by_loss) keys[loss] = differing_keys(same);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    groups[g].label = label_of(configs[g], keys[loss_of(configs[g], "")], by_loss.size() == 1);
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
    struct Rest {
      std::size_t first = 0;
      std::map<std::string, SweepAxis::Place> places;
    };
    std::map<std::string, Rest> rest;  // by all other options
    for (std::size_t n = 0; n < members.size(); ++n) {
      json others = configs[n];
      others.erase(key);
      if (!configs[n].contains(key)) continue;
      Rest& same = rest[others.dump()];
      if (same.places.empty()) same.first = members[n];
      SweepAxis::Place& place = same.places[configs[n][key].dump()];
      place.value = axis_value(configs[n][key]);
      place.runs.push_back(members[n]);
    }
    for (const auto& [others, same] : rest) {
      if (same.places.size() > 1) sweeps.push_back(make_axis(runs[same.first], key, same.places));
    }
  }
  return sweeps;
}

}  // namespace evenkeel::report
