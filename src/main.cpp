// In: the command line. Out: the exit code of the command it names.
#include "cli/program.h"

int main(int argc, char** argv) {
  return evenkeel::cli::run_program(argc, argv);
}
