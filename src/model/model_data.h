// What a model remembers of its log. In: a model; out: its data set, and what each user has.
#pragma once

#include <span>

#include "data/dataset.h"
#include "model/model.h"

namespace evenkeel::model {

// The parts exactly as training saw them, without a look at the files they came from.
data::Dataset dataset_of(const Model& model);

// Everything the log holds of these users, trained, held out or only seen: one row for each place
// of `users`. `rated_low`: with rows below --min-rating.
data::Csr seen_items(const Model& model, std::span<const Row> users, bool rated_low = true);
data::Csr seen_items(const Model& model);  // of every user, by row

}  // namespace evenkeel::model
