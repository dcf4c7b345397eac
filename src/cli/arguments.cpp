// In: subcommands. Out: their common arguments.
#include "cli/arguments.h"

#include "cli/run_folder.h"
#include "data/options.h"

namespace evenkeel::cli {

void add_model(CLI::App& app, std::string& run) {
  app.add_option("run", run, "run folder, or a model.safetensors")->required()->type_name("RUN");
}

void add_json(CLI::App& app, bool& json) {
  app.add_flag("--json", json, "one JSON object");
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
