// In: news on the engine's thread, without the GIL. Out: Python calls with it.
#include "listener.h"

namespace nb = nanobind;

namespace evenkeel::python {

void Listener::keep_exception() {
  nb::python_error error;  // takes the exception that is set
  if (raised_.is_none()) raised_ = nb::borrow(error.value());
  stop_ = true;
}

void Listener::on_message(std::string_view sentence) {
  const nb::gil_scoped_acquire gil;
  try {
    on_message_(nb::str(sentence.data(), sentence.size()));
  } catch (nb::python_error& error) {
    error.restore();
    keep_exception();
  }
}

// A look at pending signals needs the GIL, so it is taken a few times a second, not every step.
void Listener::on_step(const StepProgress&) {
  using namespace std::chrono_literals;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_look_ < 50ms) return;
  last_look_ = now;
  const nb::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) keep_exception();
}

bool Listener::on_epoch(const EpochProgress& news) {
  const nb::gil_scoped_acquire gil;
  try {
    nb::dict info;
    info["phase"] = nb::str(news.phase.data(), news.phase.size());
    info["epochs"] = news.epochs;
    info["loss"] = news.loss;
    info["seconds"] = news.seconds;
    info["samples_per_second"] = news.samples_per_second;
    if (news.recall) {
      info["recall@20"] = *news.recall;
      info["ndcg@20"] = *news.ndcg;
      info["best"] = news.best;
      info["best_epoch"] = news.best_epoch;
      info["best_recall@20"] = news.best_recall;
    }
    if (news.capped_share) info["capped_share"] = *news.capped_share;
    if (PyErr_CheckSignals() != 0) {
      keep_exception();
      return true;
    }
    return nb::cast<bool>(on_epoch_(news.epoch, info));
  } catch (nb::python_error& error) {
    error.restore();
    keep_exception();
  } catch (const nb::cast_error&) {
    raised_ = nb::borrow(PyExc_TypeError)("the callback must return True (stop), False or None");
    stop_ = true;
  }
  return true;
}

}  // namespace evenkeel::python
