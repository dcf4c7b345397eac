// The program behind main. In: the words of the command line; out: an exit code.
#pragma once

#include "cluster/cluster.h"

namespace evenkeel::cli {

// 0 fine, 1 the run failed, 2 usage or configuration, 3 data, 4 interrupted with a checkpoint.
int run_program(int argc, const char* const* argv);

// The same for one rank of several, which know `train` alone. The first rank speaks for all; an
// error that only some rank meets ends all of them with its sentence and exit code.
int run_rank(int argc, const char* const* argv, cluster::Cluster& ranks);

}  // namespace evenkeel::cli
