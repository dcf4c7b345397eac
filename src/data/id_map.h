// The ids beside row numbers on disk. In: ids, or a `row,id` CSV file; out: the other of the two.
#pragma once

#include <optional>
#include <string>

#include "data/ids.h"

namespace evenkeel::data {

std::string id_map_text(const Ids& ids);  // header `row,id`, quoted where CSV needs it

// Nothing when the file does not exist or is not such a map; damage inside one is a data error.
std::optional<Ids> read_id_map(const std::string& path);

// The original ids for ids that are row numbers of `map`; `where` names the data in errors.
Ids mapped_ids(const Ids& rows, const Ids& map, const std::string& where);

}  // namespace evenkeel::data
