// The model as Python holds it. In: a module; out: the module with Model and fit in it.
#pragma once

#include <nanobind/nanobind.h>

namespace evenkeel::python {

void bind_model(nanobind::module_& module);

}  // namespace evenkeel::python
