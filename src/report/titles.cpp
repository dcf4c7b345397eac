// In: lines. Out: titles by id.
#include "report/titles.h"

#include <sstream>

#include "base/error.h"
#include "base/regular_file.h"

namespace evenkeel::report {
namespace {

std::string unquoted(std::string text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return text;
  text = text.substr(1, text.size() - 2);
  for (std::size_t at = text.find("\"\""); at != std::string::npos;
       at = text.find("\"\"", at + 1)) {
    text.erase(at, 1);
  }
  return text;
}

}  // namespace

Titles read_titles(const std::string& path) {
  std::istringstream lines(read_regular_file(path));
  Titles titles;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) continue;
    std::size_t cut = line.find('\t');
    if (cut == std::string::npos) cut = line.find(',');
    if (cut == std::string::npos) {
      fail_data("{}:{}: '{}' has no title; put a tab or a comma between id and title", path, number,
                line.substr(0, 60));
    }
    titles[unquoted(line.substr(0, cut))] = unquoted(line.substr(cut + 1));
  }
  return titles;
}

}  // namespace evenkeel::report
