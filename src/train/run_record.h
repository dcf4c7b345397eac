// What a run folder holds before and after. In: a request and a finished training; out: the folder
// opened, what a finished run in it says already, and the new record.
#pragma once

#include <optional>

#include "train/refit.h"

namespace evenkeel::train {

void open_folder(const RunRequest& request, std::optional<RunFolder>& folder);

// The rows of --from: the run's own copy when it goes on, since the other may be gone by now.
std::optional<model::Model> start_of(const RunRequest& request, const Settings& settings);

// What a finished run says, where there is nothing to go on from and nothing has changed.
std::optional<FinishedRun> finished_before(const RunFolder& folder, const RunRequest& request,
                                           const Settings& settings, const data::Dataset& data);

FinishedRun record(const RunContext& run, Trained trained);

// Why there is no result, for whoever looks into the folder.
void record_failure(const RunContext& run, const std::string& reason);

}  // namespace evenkeel::train
