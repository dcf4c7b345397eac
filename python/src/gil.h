// The engine beside Python. In: a thread that holds the GIL; out: engine calls without it that end
// with Ctrl-C and never take it from an interpreter that is going away.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <future>

#include "base/error.h"

namespace evenkeel::python {

// Python ends a thread that asks for the GIL while the interpreter finalises, which from a C++
// destructor is std::terminate. So once Python is closing, a thread that would ask for it sleeps
// until the process is gone, as Python 3.14 itself has it. Use these instead of nanobind's.
class ReleasedGil {
 public:
  ReleasedGil();
  ~ReleasedGil();
  ReleasedGil(const ReleasedGil&) = delete;
  ReleasedGil& operator=(const ReleasedGil&) = delete;

 private:
  PyThreadState* state_;
};

class HeldGil {  // inside a ReleasedGil, on any thread
 public:
  HeldGil();
  ~HeldGil();
  HeldGil(const HeldGil&) = delete;
  HeldGil& operator=(const HeldGil&) = delete;

 private:
  PyGILState_STATE state_;
};

// Whether Python is on its way out: engine calls should end soon.
bool closing();

// Registers what Python calls at its exit: it lets engine calls come to an end.
void watch_exit(nanobind::module_& module);

// The look for Ctrl-C during an engine call. It needs the GIL, so it is taken a few times a second.
class Interrupts {
 public:
  // True once the call should end: a signal's handler raised (kept in raised()), or Python closes.
  bool look();
  nanobind::object raised() const { return raised_; }  // None: nothing
  void keep_exception();  // with the GIL, while a Python exception is set
  // After the call, with the GIL: raises what a handler raised, if anything.
  void raise() const;

 private:
  nanobind::object raised_ = nanobind::none();
  std::chrono::steady_clock::time_point last_look_ = std::chrono::steady_clock::now();
};

// work(stop) on a thread of its own, while this one, without the GIL, looks for Ctrl-C. For engine
// calls that stop when told to but tell nothing themselves.
template <typename Work>
auto interruptible(Interrupts& interrupts, Work work) {
  std::atomic<bool> stop{false};
  auto done = std::async(std::launch::async, [&] { return work(stop); });
  while (done.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
    if (interrupts.look()) stop = true;
  }
  return done.get();
}

}  // namespace evenkeel::python
