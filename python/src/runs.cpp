// In: run folders or an experiment file. Out: report and experiment in _core, as JSON text.
#include "runs.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "base/error.h"
#include "experiment/experiment.h"
#include "gil.h"
#include "io/atomic_file.h"
#include "listener.h"
#include "report/page.h"
#include "report/report.h"

namespace nb = nanobind;

namespace evenkeel::python {
namespace {

// Passes an experiment's news on: messages, and the look at Ctrl-C after every epoch.
class ExperimentListener final : public experiment::ExperimentObserver {
 public:
  explicit ExperimentListener(Listener& listener) : listener_(listener) {}
  void on_message(std::string_view sentence) override { listener_.on_message(sentence); }
  void on_run_start(const experiment::RunProgress& news) override {
    listener_.on_message(news.label);
  }
  void on_run_epoch(const experiment::RunProgress&, const train::EpochProgress&) override {
    listener_.on_step({});
  }

 private:
  Listener& listener_;
};

// Calls the engine without the GIL; an exception that a listener met comes out as itself.
template <typename Work>
auto listened(const Listener& listener, Work work) {
  try {
    const ReleasedGil free;
    return work();
  } catch (const Error&) {
    if (listener.raised().is_none()) throw;
  }
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(listener.raised().ptr())),
                  listener.raised().ptr());
  throw nb::python_error();
}

std::string report(const std::vector<std::string>& runs, const std::string& out, int count,
                   nb::object on_message) {
  Listener listener(nb::none(), std::move(on_message));
  return listened(listener, [&] {
    Threads threads(count);
    const nlohmann::json made = report::make_report({runs, EVENKEEL_VERSION, "ek.report"}, threads,
                                                    listener, listener.stop());
    if (made["runs"].empty()) fail_data("no run was found; name folders that fit(out=) wrote");
    if (!out.empty()) io::write_file_atomically(out, report::make_page(made), io::Links::kFollow);
    return made.dump();
  });
}

std::string experiment(const std::string& file, const std::string& out,
                       const std::string& data_root, int jobs, int threads, nb::object on_message) {
  Listener listener(nb::none(), std::move(on_message));
  ExperimentListener news(listener);
  return listened(listener, [&] {
    experiment::ExperimentRequest request;
    request.plan = experiment::read_plan(file);
    if (!data_root.empty()) request.plan.data_root = data_root;
    request.out = out;
    request.limits.jobs = jobs;
    request.limits.threads = threads;
    request.command = "ek.experiment";
    const experiment::ExperimentOutcome outcome =
        experiment::run_experiment(request, news, listener.stop());
    return nlohmann::json{{"table", outcome.table},
                          {"cost", outcome.cost},
                          {"missing", outcome.missing},
                          {"failures", outcome.failures}}
        .dump();
  });
}

}  // namespace

void bind_runs(nb::module_& module) {
  module.def("report", report, nb::arg("runs"), nb::arg("out"), nb::arg("threads"),
             nb::arg("on_message"));
  module.def("experiment", experiment, nb::arg("file"), nb::arg("out"), nb::arg("data_root"),
             nb::arg("jobs"), nb::arg("threads"), nb::arg("on_message"));
}

}  // namespace evenkeel::python
