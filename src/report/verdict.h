// The first thing the page says. In: a data set of the report with its methods, runs and
// comparisons; out: who is ahead on which test, by how much, beyond chance or not; three figures;
// and what popularity does to the catalogue.
#pragma once

#include <nlohmann/json.hpp>

namespace evenkeel::report {

// As web/src/data.ts spells it; null where no method has figures. `data_set` and `runs` as there.
nlohmann::json verdict_json(const nlohmann::json& data_set, const nlohmann::json& runs);

}  // namespace evenkeel::report
