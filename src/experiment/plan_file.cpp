// In: the TOML of an experiment. Out: a Plan whose every option has been checked once, so that a
// misspelt key is told before hours of training and not after.
#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/printable.h"
#include "base/toml_value.h"
#include "data/options.h"
#include "experiment/plan.h"
#include "experiment/toml_section.h"
#include "train/run.h"

namespace evenkeel::experiment {
namespace {

using Names = std::vector<std::string>;

// Options in the file, each checked against the fields it will meet.
Options read_options(const std::string& path, const toml::table* table, const Settings& fields) {
  Options options;
  if (table == nullptr) return options;
  Settings checked = fields;
  for (const auto& [key, node] : *table) {
    set_from_toml(checked, path, key.str(), node);
    options.push_back({std::string(key.str()), checked.value(key.str())});
  }
  return options;
}

SearchSpace read_space(const std::string& path, const toml::table* table, const Settings& fields) {
  SearchSpace space;
  if (table == nullptr) return space;
  for (const auto& [key, node] : *table) {
    const toml::array* values = node.as_array();
    if (values == nullptr || values->empty()) {
      fail_config("{} is not a list of values; write {} = [a, b]",
                  toml_place(path, node, key.str()), key.str());
    }
    SearchAxis axis{std::string(key.str()), {}};
    for (const toml::node& value : *values) {
      Settings checked = fields;
      set_from_toml(checked, path, key.str(), value);
      axis.values.push_back(checked.value(key.str()));
    }
    space.push_back(std::move(axis));
  }
  return space;
}

DataPlan read_data(const std::string& path, const toml::table& table) {
  const Section section(path, table, "[[data]]", {"name", "path", "split", "options", "tests"});
  DataPlan data;
  data.name = section.name();
  data.path = section.text("path");
  if (data.path.empty()) {
    fail_config("{} has no path; write path = \"folder or file under the data root\"",
                section.own_place());
  }
  data.split = read_options(path, section.table("split"), Settings(data::data_fields()));
  data.options = read_options(path, section.table("options"), train::run_settings());
  data.tests = section.texts("tests");
  return data;
}

MethodPlan read_method(const std::string& path, const toml::table& table) {
  const Section section(path, table, "[[method]]",
                        {"name", "options", "search", "ours", "data", "encoders"});
  MethodPlan method;
  method.name = section.name();
  method.options = read_options(path, section.table("options"), train::run_settings());
  method.search = read_space(path, section.table("search"), train::run_settings());
  method.ours = section.flag("ours");
  method.data = section.texts("data");
  method.encoders = section.texts("encoders");
  return method;
}

Tuning read_tuning(const std::string& path, const toml::table* table) {
  Tuning tuning;
  if (table == nullptr) return tuning;
  const Section section(path, *table, "[tuning]", {"kind", "candidates", "first-epochs", "refit"});
  constexpr std::array<std::string_view, 3> kKinds{"grid", "random", "halving"};
  const std::string kind = section.text("kind", "grid");
  const auto found = std::find(kKinds.begin(), kKinds.end(), kind);
  if (found == kKinds.end()) {
    fail_config("{}: {}", section.place("kind"), unknown_name("tuning kind", kind, kKinds));
  }
  tuning.kind = static_cast<TuningKind>(found - kKinds.begin());
  tuning.candidates = static_cast<std::size_t>(section.integer("candidates", 27, 1));
  tuning.first_epochs = static_cast<int>(section.integer("first-epochs", 0, 1));
  tuning.refit = section.flag("refit");
  return tuning;
}

std::vector<std::uint64_t> read_seeds(const Section& file) {
  if (file.find("seeds") == nullptr) return Plan().seeds;
  std::vector<std::uint64_t> seeds;
  const toml::array* array = file.find("seeds")->as_array();
  for (std::size_t i = 0; array != nullptr && i < array->size(); ++i) {
    const auto seed = array->get(i)->value_exact<std::int64_t>();
    if (!seed || *seed < 0) fail_config("{} holds no whole number", file.place("seeds"));
    seeds.push_back(static_cast<std::uint64_t>(*seed));
  }
  if (seeds.empty())
    fail_config("{} is not a list of numbers; write [1, 2, 3]", file.place("seeds"));
  return seeds;
}

// [paper."DATA"."ENCODER"] METHOD = { test = [recall, ndcg] }
std::vector<PaperFigure> read_paper(const std::string& path, const toml::table* paper) {
  std::vector<PaperFigure> figures;
  const auto inner = [&](const toml::node& node, std::string_view key) -> const toml::table& {
    if (node.is_table()) return *node.as_table();
    fail_config(
        "{} is not a table; write [paper.\"DATA\".\"ENCODER\"] and below it "
        "\"METHOD\" = {{ test = [recall, ndcg] }}",
        toml_place(path, node, key));
  };
  if (paper == nullptr) return figures;
  for (const auto& [data, encoders] : *paper) {
    for (const auto& [encoder, methods] : inner(encoders, data.str())) {
      for (const auto& [method, tests] : inner(methods, encoder.str())) {
        for (const auto& [test, pair] : inner(tests, method.str())) {
          const toml::array* two = pair.as_array();
          const auto at = [&](std::size_t i) {
            return two != nullptr && two->size() == 2 ? two->get(i)->value<double>()
                                                      : std::optional<double>();
          };
          if (!at(0) || !at(1)) {
            fail_config("{} is not a pair; write [recall, ndcg]",
                        toml_place(path, pair, test.str()));
          }
          figures.push_back({std::string(data.str()), std::string(encoder.str()),
                             std::string(method.str()), std::string(test.str()), *at(0), *at(1)});
        }
      }
    }
  }
  return figures;
}

// `word` must be one of the names that `things` have.
template <typename Thing>
void check_known(const Plan& plan, std::string_view kind, const Names& words,
                 const std::vector<Thing>& things) {
  std::vector<std::string_view> known;
  known.reserve(things.size());
  for (const Thing& thing : things) known.push_back(thing.name);
  for (const std::string& word : words) {
    if (std::find(known.begin(), known.end(), word) == known.end()) {
      fail_config("{}: {}", plan.file, unknown_name(kind, word, known));
    }
  }
}

// Folders are made of names: two things may not share one.
void check_names(const Plan& plan) {
  std::set<std::string> seen;
  const auto once = [&](std::string_view kind, const std::string& scope, const std::string& name) {
    if (!seen.insert(fmt::format("{}/{}/{}", kind, scope, slug(name))).second) {
      fail_config("{}: there are two {} '{}'{}; name them apart", plan.file, kind, name, scope);
    }
  };
  for (const DataPlan& data : plan.data) once("data sets", "", data.name);
  for (const EncoderPlan& encoder : plan.encoders) once("encoders", "", encoder.name);
  for (const MethodPlan& method : plan.methods) {
    check_known(plan, "data set", method.data, plan.data);
    check_known(plan, "encoder", method.encoders, plan.encoders);
  }
  for (const PaperFigure& figure : plan.paper) {
    check_known(plan, "data set", {figure.data}, plan.data);
    check_known(plan, "encoder", {figure.encoder}, plan.encoders);
    check_known(plan, "method", {figure.method}, plan.methods);
  }
  for (const DataPlan& data : plan.data) {
    for (const EncoderPlan& encoder : plan.encoders) {
      for (const Cell& cell : cells_of(plan, data, encoder)) {
        once("methods", fmt::format(" on {} with {}", data.name, encoder.name), cell.method->name);
      }
    }
  }
}

}  // namespace

Plan read_plan(const std::string& path) {
  const toml::table table = parse_toml(path);
  const Section file(
      path, table, path,
      {"title", "reproduces", "duration", "notes", "data_root", "seeds", "tuning_seed", "k",
       "tuning", "common", "data", "encoder", "method", "paper"});
  Plan plan;
  plan.file = path;
  plan.title = file.text("title", std::filesystem::path(path).stem().string());
  plan.reproduces = file.text("reproduces");
  plan.duration = file.text("duration");
  plan.notes = file.text("notes");
  plan.data_root =
      (std::filesystem::path(path).parent_path() / file.text("data_root", ".")).string();
  plan.seeds = read_seeds(file);
  plan.tuning_seed = static_cast<std::uint64_t>(
      file.integer("tuning_seed", static_cast<std::int64_t>(plan.seeds.front()), 0));
  plan.k = static_cast<std::size_t>(file.integer("k", 20, 1));
  plan.tuning = read_tuning(path, file.table("tuning"));
  plan.common = read_options(path, file.table("common"), train::run_settings());
  for_tables(file, "data", [&](const toml::table& t) { plan.data.push_back(read_data(path, t)); });
  for_tables(file, "encoder", [&](const toml::table& t) {
    const Section section(path, t, "[[encoder]]", {"name", "options"});
    plan.encoders.push_back(
        {section.name(), read_options(path, section.table("options"), train::run_settings())});
  });
  for_tables(file, "method",
             [&](const toml::table& t) { plan.methods.push_back(read_method(path, t)); });
  plan.paper = read_paper(path, file.table("paper"));
  check_names(plan);
  return plan;
}

}  // namespace evenkeel::experiment
