// In: threads that leave and take the GIL. Out: none of them takes it once Python has closed.
#include "gil.h"

#include <pthread.h>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace nb = nanobind;

namespace evenkeel::python {
namespace {

using namespace std::chrono_literals;

// How long Python's exit waits for engine calls to end: a training stops after its step.
constexpr auto kPatience = 5s;

struct Gate {
  std::mutex mutex;
  std::condition_variable left;
  std::atomic<bool> closing{false};
  int calls = 0;  // engine calls that will ask for the GIL again
};

// One for the process, as the interpreter is; never destroyed, since sleeping threads outlive it.
Gate*& gate_of_process() {
  static Gate* gate = [] {
    // A child of fork() has none of its parent's calls.
    pthread_atfork(nullptr, nullptr, [] { gate_of_process() = new Gate; });
    return new Gate;
  }();
  return gate;
}

Gate& gate() {
  return *gate_of_process();
}

[[noreturn]] void sleep_for_good() {
  for (;;) std::this_thread::sleep_for(1h);
}

void leave(Gate& gate) {
  --gate.calls;
  gate.left.notify_all();
}

// At Python's exit, with the GIL, before it finalises: from here on no call takes the GIL again,
// and those under way get the time to stop.
void close() {
  Gate& at = gate();
  std::unique_lock lock(at.mutex);
  at.closing = true;
  if (at.calls <= 0) return;
  nb::set_leak_warnings(false);  // what these calls hold is never given back
  lock.unlock();
  {
    const nb::gil_scoped_release free;  // some may be on their way to take it
    lock.lock();
    at.left.wait_for(lock, kPatience, [&] { return at.calls <= 0; });
    lock.unlock();
  }
}

}  // namespace

ReleasedGil::ReleasedGil() {
  Gate& at = gate();
  std::unique_lock lock(at.mutex);
  const bool late = at.closing;
  if (!late) ++at.calls;
  lock.unlock();
  state_ = PyEval_SaveThread();
  if (late) sleep_for_good();
}

ReleasedGil::~ReleasedGil() {
  Gate& at = gate();
  std::unique_lock lock(at.mutex);
  if (at.closing) {
    leave(at);
    lock.unlock();
    sleep_for_good();
  }
  lock.unlock();
  PyEval_RestoreThread(state_);
  lock.lock();
  leave(at);
}

// Safe while Python closes, too: close() waits for the call that this is a part of.
HeldGil::HeldGil() : state_(PyGILState_Ensure()) {}

HeldGil::~HeldGil() {
  // Still held here unless Python ended this thread inside a callback: then nothing is to release.
  if (PyGILState_Check() == 0) sleep_for_good();
  PyGILState_Release(state_);
}

bool closing() {
  return gate().closing;
}

void watch_exit(nb::module_& module) {
  module.def("close", close);
  nb::module_::import_("atexit").attr("register")(module.attr("close"));
}

void Interrupts::keep_exception() {
  nb::python_error error;  // takes the exception that is set
  if (raised_.is_none()) raised_ = nb::borrow(error.value());
}

bool Interrupts::look() {
  if (closing() || !raised_.is_none()) return true;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_look_ < 50ms) return false;
  last_look_ = now;
  const HeldGil gil;
  if (PyErr_CheckSignals() != 0) keep_exception();
  return !raised_.is_none();
}

void Interrupts::raise() const {
  if (raised_.is_none()) return;
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(raised_.ptr())), raised_.ptr());
  throw nb::python_error();
}

}  // namespace evenkeel::python
