// A run folder as commands meet it. In: the path the user gave; out: its model.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/settings.h"
#include "model/model.h"

namespace evenkeel::cli {

// The option --score of every command that ranks: as trained unless it is given.
Field score_field();
Field top_field(std::string_view help);  // --k
Field debias_field();                    // --debias: as trained unless it is given
Field threads_field();                   // --threads

// Reads RUN/model.safetensors (or the file itself) and applies the --score of `settings`.
model::Model load_run_model(const std::string& run, const Settings& settings = {});

// The same with the --debias of `settings`, too.
model::Model load_corrected_model(const std::string& run, const Settings& settings);
// Of a --debias: "0,0.2,0.5", in the order given, or the model's own.
std::vector<double> strengths_of(std::string_view text, const model::Model& model);

// An item's or user's row; an unknown id is a data error that names the remedy.
Row find_item(const model::Model& model, const std::string& id);

}  // namespace evenkeel::cli
