// Fronts in the page's form. In: a loaded run and the axes that all runs of its data set share;
// out: the JSON of web/src/data.ts.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "analysis/front.h"
#include "base/threads.h"
#include "report/loaded_run.h"
#include "report/page_selection.h"

namespace evenkeel::report {

// The first of the users to explore have lists of every strength.
inline constexpr std::size_t kDialUsers = 40;

// Nothing where the data has no part like the log, or is evenly popular.
std::optional<analysis::FrontAxes> front_axes_of(const data::Dataset& data);

nlohmann::json axes_json(const std::optional<analysis::FrontAxes>& axes,
                         const PageSelection& selection);

// Null where the model cannot be corrected or lacks the parts.
nlohmann::json front_json(const LoadedRun& loaded, const analysis::FrontAxes& axes,
                          PageSelection& selection, const RowMap& map, Threads& threads);

}  // namespace evenkeel::report
