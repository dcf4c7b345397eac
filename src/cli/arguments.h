// Arguments that several commands take, each written once. In: a subcommand and where the value
// goes; out: the argument on it.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "base/settings.h"
#include "cli/option_binding.h"
#include "eval/test_parts.h"

namespace evenkeel::cli {

void add_model(CLI::App& app, std::string& run);  // RUN, or a model file
void add_json(CLI::App& app, bool& json);         // --json
// "a,b" is a and b; empty words are left out.
std::vector<std::string> cut_at_commas(std::string_view text);
// How interactions are read and cut, and --threads.
Settings data_settings();
// What the command line says of reading a file; the rest is as the model's own data was read.
eval::Reading given_reading(const BoundOptions& options);

}  // namespace evenkeel::cli
