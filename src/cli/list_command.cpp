// In: the registries. Out: everything that can be chosen by name, with its options.
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "data/reader.h"
#include "data/split.h"
#include "encoder/registry.h"
#include "eval/evaluate.h"
#include "eval/metrics.h"
#include "loss/margin.h"
#include "loss/registry.h"
#include "model/export.h"
#include "optim/registry.h"
#include "rank/rerank.h"
#include "sampler/registry.h"
#include "step/make_step.h"

namespace evenkeel::cli {
namespace {

using Json = nlohmann::ordered_json;

Json option_json(const Field& field) {
  Json option{{"name", field.name}, {"help", field.help}};
  std::visit([&](const auto& value) { option["default"] = value; }, field.default_value);
  if (!field.choices.empty()) {
    option["choices"] = field.choices;
  } else if (!std::holds_alternative<std::string>(field.default_value)) {
    if (std::isfinite(field.min)) option["min"] = field.min;
    if (std::isfinite(field.max)) option["max"] = field.max;
  }
  return option;
}

// Every table has name and description; some say where a method comes from and what it can be told.
template <typename Entry>
Json entry_json(const Entry& entry) {
  Json json{{"name", entry.name}, {"description", entry.description}};
  if constexpr (requires { entry.reference; }) json["reference"] = entry.reference;
  if constexpr (requires { entry.fields; }) {
    json["options"] = Json::array();
    for (const Field& field : entry.fields) json["options"].push_back(option_json(field));
  }
  return json;
}

template <typename Entries>
void append(Json& list, const Entries& entries) {
  for (const auto& entry : entries) list.push_back(entry_json(entry));
}

Json everything() {
  Json lists = Json::object();
  append(lists["encoders"], encoder::encoders());
  append(lists["losses"], loss::losses());
  append(lists["margins"], loss::margin_kinds());
  append(lists["samplers"], sampler::samplers());
  append(lists["negatives"], step::negatives_kinds());
  append(lists["optimizers"], optim::optimizers());
  append(lists["splits"], data::split_protocols());
  append(lists["readers"], data::readers());
  append(lists["metrics"], eval::metric_table());
  append(lists["metrics"], eval::exposure_table());
  append(lists["rerankers"], rank::rerankers());
  append(lists["exports"], model::export_formats());
  return lists;
}

std::string option_text(const Json& option) {
  const Json& value = option["default"];
  std::string text = fmt::format("--{} {}", option["name"].get<std::string>(),
                                 value.is_string() ? value.get<std::string>() : value.dump());
  if (option.contains("choices")) {
    text += " (";
    for (const Json& choice : option["choices"]) {
      text += (text.ends_with('(') ? "" : "|") + choice.get<std::string>();
    }
    text += ")";
  }
  return fmt::format("{}: {}", text, option["help"].get<std::string>());
}

void print_text(const Json& lists) {
  for (const auto& [title, entries] : lists.items()) {
    out("{}\n", title);
    for (const Json& entry : entries) {
      out("  {:14} {}\n", entry["name"].get<std::string>(),
          entry["description"].get<std::string>());
      if (entry.contains("reference")) {
        out("  {:14} {}\n", "", entry["reference"].get<std::string>());
      }
      if (!entry.contains("options")) continue;
      for (const Json& option : entry["options"]) out("  {:14}   {}\n", "", option_text(option));
    }
    out("\n");
  }
}

}  // namespace

Action add_list(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  add_json(app, *json);
  return [json] {
    const Json lists = everything();
    if (*json) {
      out("{}\n", lists.dump(2));
    } else {
      print_text(lists);
    }
    return 0;
  };
}

}  // namespace evenkeel::cli
