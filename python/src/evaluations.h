// Evaluations for Python: of a model's own parts, of files, and of data in memory.
#pragma once

#include <nanobind/nanobind.h>

namespace evenkeel::python {

void bind_evaluations(nanobind::module_& module);

}  // namespace evenkeel::python
