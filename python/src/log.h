// Interactions and data sets as Python holds them: the engine's, and how their ids go back.
// In: pairs, tables, files, matrices; out: a log that can be cut, a data set that can be trained
// on.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "data/dataset.h"
#include "data/interactions.h"

namespace evenkeel::python {

// What ids are: "rows" of a matrix, "int", "str", or text of a "file", where whole numbers have no
// other form.
struct IdKinds {
  std::string users = "file", items = "file";
};

struct PyLog {
  data::Interactions log;
  IdKinds kinds;
  std::size_t rows = 0, columns = 0;  // of the matrix that the log was, else 0
  std::vector<Pair> seen = {};        // of the matrix, its rows and columns (Interactions::seen)
};

struct PyDataset {
  data::Dataset data;
  IdKinds kinds;
};

void bind_logs(nanobind::module_& module);
void bind_datasets(nanobind::module_& module);  // sets.cpp

}  // namespace evenkeel::python
