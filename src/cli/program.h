// The program behind main. In: the words of the command line; out: an exit code.
#pragma once

namespace evenkeel::cli {

// 0 fine, 1 the run failed, 2 usage or configuration, 3 data, 4 interrupted with a checkpoint.
int run_program(int argc, const char* const* argv);

}  // namespace evenkeel::cli
