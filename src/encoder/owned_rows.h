// Which rows each rank holds and moves. In: the data set and what a step names of it; out: cuts of
// both tables.
#pragma once

#include <vector>

#include "data/dataset.h"
#include "encoder/encoder.h"

namespace evenkeel::encoder {

// Rank r owns rows [cuts[r], cuts[r + 1]). Empty: every rank has all rows, and moves them alike.
struct OwnedRows {
  std::vector<std::size_t> users, items;
};

// Users are cut evenly, for they take most of the memory; items so that every rank moves about as
// many rows in a step, users and items together.
OwnedRows owned_rows(const data::Dataset& data, ExtraRows extra, const Division& among);

}  // namespace evenkeel::encoder
