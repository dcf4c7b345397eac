// Ranks that Open MPI (or another MPI) has started. In: the words that the launcher added to the
// command line; out: the ranks. This folder alone knows MPI.
#pragma once

#include <memory>

#include "cluster/cluster.h"

namespace evenkeel::cluster {

// The one of this process, which it ends with. Collectives on bytes and whole numbers only, called
// by the thread that made it.
std::unique_ptr<Cluster> mpi_cluster(int* argc, char*** argv);

}  // namespace evenkeel::cluster
