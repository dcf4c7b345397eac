// In: subcommands. Out: their common arguments.
#include "cli/arguments.h"

#include <algorithm>

#include "cli/run_folder.h"
#include "data/options.h"

namespace evenkeel::cli {

void add_model(CLI::App& app, std::string& run) {
  app.add_option("run", run, "run folder, or a model.safetensors")->required()->type_name("RUN");
}

void add_json(CLI::App& app, bool& json) {
  app.add_flag("--json", json, "one JSON object");
}

std::vector<std::string> cut_at_commas(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    if (comma > 0) words.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return words;
}

Settings data_settings() {
  Settings settings(data::data_fields());
  const Field more[] = {threads_field()};
  settings.add(more);
  return settings;
}

eval::Reading given_reading(const BoundOptions& options) {
  const Settings settings = options.resolve();
  eval::Reading reading;
  for (const Field* field : settings.fields()) {
    if (!settings.is_set(field->name)) continue;
    reading.emplace_back(field->name, settings.value(field->name));
  }
  return reading;
}

}  // namespace evenkeel::cli
