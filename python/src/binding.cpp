// In: `import evenkeel._core`. Out: the engine as Python classes; its errors as Python's.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "base/error.h"
#include "convert.h"
#include "eval/metrics.h"
#include "evaluations.h"
#include "fitted.h"
#include "gil.h"
#include "kernels/rows.h"
#include "log.h"
#include "runs.h"

namespace evenkeel::python {
namespace {

// The classes live in Python (evenkeel/_errors.py), where they can inherit from ValueError.
void raise_in_python(const Error& error) {
  const char* name = error.kind() == ErrorKind::kData     ? "DataError"
                     : error.kind() == ErrorKind::kConfig ? "ConfigError"
                                                          : "Error";
  const nb::object type = nb::module_::import_("evenkeel._errors").attr(name);
  PyErr_SetObject(type.ptr(), text_to_python(error.what()).ptr());
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    raise_in_python(error);
  }
}

// Means over lists of row numbers: list q is ranked[q0:q1] against relevant[r0:r1], r ascending.
nb::dict metrics(Array1<std::int64_t> ranked_offsets, Array1<std::uint32_t> ranked,
                 Array1<std::int64_t> relevant_offsets, Array1<std::uint32_t> relevant,
                 std::size_t k) {
  if (k == 0) fail_config("k is 0; give at least 1");
  const auto lists = span_of(ranked_offsets), truths = span_of(relevant_offsets);
  eval::MetricSet sum;
  for (std::size_t q = 0; q + 1 < lists.size(); ++q) {
    const auto part = [q](std::span<const std::int64_t> offsets, std::span<const Row> rows) {
      const auto begin = static_cast<std::size_t>(offsets[q]);
      return rows.subspan(begin, static_cast<std::size_t>(offsets[q + 1]) - begin);
    };
    const auto wanted = part(truths, span_of(relevant));
    if (wanted.empty()) continue;
    eval::add(sum, eval::metrics_of_list(part(lists, span_of(ranked)), wanted, k));
  }
  if (sum.users == 0) fail_data("no list has a relevant item; nothing can be measured");
  const eval::MetricSet means = eval::mean(sum);
  nb::dict result;
  for (const eval::MetricEntry& metric : eval::metric_table()) {
    result[fmt::format("{}@{}", metric.name, k).c_str()] = means.*metric.field;
  }
  result["users"] = means.users;
  return result;
}

}  // namespace
}  // namespace evenkeel::python

NB_MODULE(_core, module) {
  using namespace evenkeel::python;
  nb::register_exception_translator(translate);
  watch_exit(module);
  bind_logs(module);
  bind_datasets(module);
  bind_model(module);
  bind_evaluations(module);
  bind_runs(module);
  module.def("metrics", metrics, nb::arg("ranked_offsets"), nb::arg("ranked"),
             nb::arg("relevant_offsets"), nb::arg("relevant"), nb::arg("k"));
  module.def("simd", [] { return evenkeel::kernels::simd_name(); });
  module.attr("version") = EVENKEEL_VERSION;
}
