// In: SIGINT, SIGTERM, SIGUSR1. Out: the stop flag, and an immediate end when asked twice.
#include "cli/signals.h"

#include <unistd.h>

namespace evenkeel::cli {
namespace {

// A signal handler can reach nothing but static storage: the one global of the program.
std::atomic<bool> stop_flag{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may not take a lock");

constexpr int kInterruptedTwice = 130;

void on_signal(int) {
  if (stop_flag.exchange(true)) _exit(kInterruptedTwice);
  constexpr char kText[] = "\nevenkeel: stopping after this step (again to stop at once)\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, kText, sizeof(kText) - 1);
}

}  // namespace

StopSignals::StopSignals() {
  stop_flag.store(false);
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &old_interrupt_);
  sigaction(SIGTERM, &action, &old_terminate_);
  sigaction(SIGUSR1, &action, &old_user_);
}

StopSignals::~StopSignals() {
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
  sigaction(SIGUSR1, &old_user_, nullptr);
}

const std::atomic<bool>& StopSignals::stop() const {
  return stop_flag;
}

}  // namespace evenkeel::cli
