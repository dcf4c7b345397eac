// What a run folder holds before and after. In: a request and a finished training; out: the folder
// opened, what a finished run in it says already, and the new record.
#pragma once

#include <optional>

#include "train/refit.h"

namespace evenkeel::train {

// That of the request, or `own`, which is made. A folder that may not be written is refused.
RunFolder& open_folder(const RunRequest& request, std::optional<RunFolder>& own);

// The rows of --from: the run's own copy when it goes on, since the other may be gone by now.
std::optional<model::Model> start_of(const RunRequest& request, const Settings& settings);

// Whether the folder to go on in holds a finished run without a checkpoint, which is then as it
// would be made again; on the first rank.
bool was_finished(const RunContext& run, const data::Dataset& data);

// A finished run that has nothing left to train, as it stands: nothing is written.
FinishedRun finished_before(const RunContext& run);

FinishedRun record(const RunContext& run, Trained trained);

// Why there is no result, for whoever looks into the folder.
void record_failure(const RunContext& run, const std::string& reason);

}  // namespace evenkeel::train
