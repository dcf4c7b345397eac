// Outputs that would destroy what a command reads. In: the words of a command; out: a sentence,
// when a file to write is one of its inputs or one of the files that a run consists of.
#pragma once

#include <CLI/CLI.hpp>

namespace evenkeel::cli {

// A config error; nothing has been opened yet.
void refuse_outputs_onto_inputs(const CLI::App& command);

}  // namespace evenkeel::cli
