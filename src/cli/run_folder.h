// A run folder as commands meet it. In: the path the user gave; out: its model.
#pragma once

#include <string>

#include "base/settings.h"
#include "model/model.h"

namespace evenkeel::cli {

// The option --score of every command that ranks: as trained unless it is given.
Field score_field();
Field top_field(std::string_view help);  // --k
Field threads_field();                   // --threads

// Reads RUN/model.safetensors (or the file itself) and applies the --score of `settings`.
model::Model load_run_model(const std::string& run, const Settings& settings);

// An item's or user's row; an unknown id is a data error that names the remedy.
Row find_item(const model::Model& model, const std::string& id);

}  // namespace evenkeel::cli
