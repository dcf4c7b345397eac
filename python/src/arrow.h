// Tables through the Arrow C stream (pandas, polars, pyarrow, DuckDB, ...). In: the stream and the
// names of its columns; out: the log, read from the producer's own memory.
#pragma once

#include <optional>
#include <string>

#include "data/interactions.h"

struct ArrowArrayStream;

namespace evenkeel::python {

struct ArrowColumns {
  std::string user, item;    // names
  std::string rating, time;  // names; empty: not read
  bool time_found = false;   // nobody named it: words in it are no times, and it is not read
  std::optional<double> min_rating;  // keep rows with at least this rating
};

struct ArrowLog {
  data::Interactions log;
  bool user_numbers = false, item_numbers = false;  // whole numbers rather than text
};

ArrowLog read_arrow(ArrowArrayStream& stream, const ArrowColumns& columns);

}  // namespace evenkeel::python
