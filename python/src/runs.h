// Reports and experiments for Python. In: a module; out: the module with report and experiment.
#pragma once

#include <nanobind/nanobind.h>

namespace evenkeel::python {

void bind_runs(nanobind::module_& module);

}  // namespace evenkeel::python
