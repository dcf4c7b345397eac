// Names of items for people. In: a file with an id and a title in each line; out: titles by id.
#pragma once

#include <string>
#include <unordered_map>

namespace evenkeel::report {

using Titles = std::unordered_map<std::string, std::string>;

// A tab stands between id and title, else the first comma; quotes around either go away. A data
// error for a file that cannot be read, or a line with neither.
Titles read_titles(const std::string& path);

}  // namespace evenkeel::report
