// What a training tells Python. In: the engine's news; out: calls of Python functions, and the stop
// flag when one of them raises or when the user presses Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <utility>

#include "gil.h"
#include "train/model_observer.h"

namespace evenkeel::python {

class Listener final : public train::ModelObserver {
 public:
  using ToPython = nanobind::object (*)(model::Model);
  // on_epoch(epoch, info) or, with `to_python`, on_epoch(epoch, info, make), where make() gives the
  // model as it stands: None once the call is over.
  Listener(nanobind::object on_epoch, nanobind::object on_message, ToPython to_python = nullptr)
      : on_epoch_(std::move(on_epoch)), on_message_(std::move(on_message)), to_python_(to_python) {}

  void on_message(std::string_view sentence) override;
  void on_step(const train::StepProgress& news) override;
  bool on_epoch(const train::EpochProgress& news) override;

  const std::atomic<bool>& stop() const { return stop_; }
  // The exception that stopped it, or None.
  nanobind::object raised() const { return interrupts_.raised(); }

 private:
  void keep_exception();  // with the GIL, while a Python exception is set
  bool told(const train::EpochProgress& news, const nanobind::dict& info) const;
  nanobind::object on_epoch_, on_message_;
  ToPython to_python_;
  Interrupts interrupts_;
  std::atomic<bool> stop_{false};
};

}  // namespace evenkeel::python
