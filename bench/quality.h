// Time to quality. In: a word that names some of the cases; out: seconds until validation Recall@20
// comes near its best, the figure that a user feels.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace evenkeel::bench {

// Cases are "quality DATA ENCODER LOSS", as in "quality market lightgcn bc".
nlohmann::json run_quality(const std::string& only, int threads);

}  // namespace evenkeel::bench
