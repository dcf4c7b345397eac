// In: news on the engine's thread, without the GIL. Out: Python calls with it.
#include "listener.h"

#include <memory>

namespace nb = nanobind;

namespace evenkeel::python {

void Listener::keep_exception() {
  interrupts_.keep_exception();
  stop_ = true;
}

void Listener::on_message(std::string_view sentence) {
  if (closing()) return;
  const HeldGil gil;
  try {
    on_message_(nb::str(sentence.data(), sentence.size()));
  } catch (nb::python_error& error) {
    error.restore();
    keep_exception();
  }
}

void Listener::on_step(const train::StepProgress&) {
  if (interrupts_.look()) stop_ = true;
}

bool Listener::told(const train::EpochProgress& news, const nb::dict& info) const {
  if (to_python_ == nullptr) return nb::cast<bool>(on_epoch_(news.epoch, info));
  // Python may keep the function; who is asked is here during the call alone.
  struct Asked {
    std::shared_ptr<const Listener*> who;
    ~Asked() { *who = nullptr; }
  } asked{std::make_shared<const Listener*>(this)};
  const auto make = [who = asked.who]() -> nb::object {
    if (*who == nullptr || !(*who)->snapshot) return nb::none();
    return (*who)->to_python_((*who)->snapshot());
  };
  return nb::cast<bool>(on_epoch_(news.epoch, info, nb::cpp_function(make)));
}

bool Listener::on_epoch(const train::EpochProgress& news) {
  if (closing()) return stop_ = true;
  const HeldGil gil;
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
      info["best_recall@20"] = news.best_figure;
    }
    if (news.capped_share) info["capped_share"] = *news.capped_share;
    if (PyErr_CheckSignals() != 0) {
      keep_exception();
      return true;
    }
    return told(news, info);
  } catch (nb::python_error& error) {
    error.restore();
    keep_exception();
  } catch (const nb::cast_error&) {
    PyErr_SetString(PyExc_TypeError, "the callback must return True (stop), False or None");
    keep_exception();
  }
  return true;
}

}  // namespace evenkeel::python
