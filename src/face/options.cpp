// In: the engine's fields. Out: the same as the public face shows them, and settings from its
// words.
#include "evenkeel/options.h"

#include "base/error.h"
#include "data/options.h"
#include "face/access.h"
#include "train/run.h"

namespace evenkeel {
namespace {

std::string plain_text(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? *text : to_text(value);
}

std::vector<OptionInfo> described(const Settings& settings) {
  std::vector<OptionInfo> list;
  for (const Field* field : settings.fields()) {
    list.push_back({std::string(field->name),
                    plain_text(field->default_value),
                    std::string(field->help),
                    {field->choices.begin(), field->choices.end()}});
  }
  return list;
}

}  // namespace

std::vector<OptionInfo> training_options() {
  return described(train::run_settings());
}

std::vector<OptionInfo> reading_options() {
  return described(Settings(data::reading_fields()));
}

std::string version() {
  return EVENKEEL_VERSION;
}

rank::RerankAsk rerank_ask(const RerankOptions& options) {
  rank::RerankWords words{options.name, {}, options.candidates};
  if (options.strength) words.strength = fmt::format("{}", *options.strength);
  return rank::rerank_ask(words);
}

void set_options(Settings& settings, const OptionValues& options) {
  for (const auto& [name, value] : options) {
    settings.set(name, std::string_view(value), "option " + name);
  }
}

}  // namespace evenkeel
