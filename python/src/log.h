// Interactions and data sets as Python holds them: the engine's, and how their ids go back.
// In: pairs, tables, files, matrices; out: a log that can be cut, a data set that can be trained
// on.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "data/dataset.h"
#include "data/interactions.h"

namespace evenkeel::python {

struct IdKinds {
  std::string users = "str", items = "str";  // rows, int or str
};

struct PyLog {
  Interactions log;
  IdKinds kinds;
};

struct PyDataset {
  Dataset data;
  IdKinds kinds;
};

void bind_data(nanobind::module_& module);

}  // namespace evenkeel::python
