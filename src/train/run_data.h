// The data of a run. In: a request and its data set; out: what it may be cut into, what a training
// keeps of it, and what is said of it.
#pragma once

#include "data/load.h"
#include "train/observer.h"
#include "train/run.h"
#include "train/warm_start.h"

namespace evenkeel::train {

bool is_log(const RunRequest& request);  // the data is one log, which the run itself cuts

// A config error where `validation` asks for a share and the folder has a validation part already.
// (Prepared data may have been cut by that very share.)
void refuse_second_validation(const RunRequest& request, const Settings& settings,
                              const data::Dataset& data, const data::LoadReport& report);

// Pairs by item are as large as pairs by user, and few methods read them.
void keep_what_trains(data::Dataset& data, const Settings& settings);

void describe_data(const data::Dataset& data, bool held_out, Observer& observer);

// What the rows of --from know is not held out, and somebody of them must be there.
data::Dataset fitted_to_start(data::Dataset data, const model::Model& start, CutHere cut,
                              const std::string& run, Observer& observer);

}  // namespace evenkeel::train
