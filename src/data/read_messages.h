// What a person should know about how data was read. In: the account of reading; out: sentences.
#pragma once

#include <string>
#include <vector>

#include "data/load.h"

namespace evenkeel::data {

// Doubts about the format, ratings that nobody looks at, what was merged, passed over or dropped.
std::vector<std::string> read_notes(const ReadReport& report);

// How the data was read, the notes, and how many rows were skipped: all there is to say.
std::vector<std::string> read_messages(const LoadReport& report);

}  // namespace evenkeel::data
