// Names for people. In: a table with an id and a title on each row, and the ids of a model; out:
// the title of each row of the model, empty where there is none.
#pragma once

#include <string>
#include <vector>

#include "data/ids.h"

namespace evenkeel::data {

struct Titles {
  std::vector<std::string> texts;  // by row of the ids; empty: no titles at all
  std::size_t found = 0;           // ids with a title

  std::string_view of(Row row) const { return texts.empty() ? "" : std::string_view(texts[row]); }
};

// CSV, TSV, `::` or `|`, plain or compressed. A header may name the columns (`movieId,title,...`);
// without one the first holds the id and the second the title.
Titles find_titles(const std::string& path, const Ids& ids);
// The same; a file without any id of `ids` is a data error.
Titles read_titles(const std::string& path, const Ids& ids);

// Rows whose id or title holds the text, in any ASCII case: those that begin with it first, then
// shorter ones.
std::vector<Row> find_rows(const Ids& ids, const Titles& titles, std::string_view text,
                           std::size_t most);

}  // namespace evenkeel::data
