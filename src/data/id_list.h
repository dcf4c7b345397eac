// A list of ids, one on each line, as --users takes it. In: a path, or - for stdin; out: the ids,
// each once, in the order of the file.
#pragma once

#include <string>
#include <vector>

namespace evenkeel::data {

// Read as interactions are: plain, gzip or zstd, any line ends, without a byte order mark; blanks
// around ids, empty lines and comments (`# ...`) are dropped. The list may be empty.
std::vector<std::string> read_id_list(const std::string& path);

}  // namespace evenkeel::data
