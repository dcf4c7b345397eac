// Ctrl-C, SIGTERM and SIGUSR1 (which launchers such as mpirun hand on to every rank) while a
// command works. In: the signals; out: a flag the engine looks at.
#pragma once

#include <atomic>
#include <csignal>

namespace evenkeel::cli {

// While it lives, the first of them only sets the flag; the second ends the program at once with
// exit code 130.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  const std::atomic<bool>& stop() const;

 private:
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
  struct sigaction old_user_ {};
};

}  // namespace evenkeel::cli
