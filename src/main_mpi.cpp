// In: the command line of one rank of many, as a launcher (mpirun, srun) starts them. Out: the exit
// code of the command, the same on every rank.
#include "cli/program.h"
#include "cluster/mpi/mpi_cluster.h"

int main(int argc, char** argv) {
  const auto ranks = evenkeel::cluster::mpi_cluster(&argc, &argv);
  return evenkeel::cli::run_rank(argc, argv, *ranks);
}
