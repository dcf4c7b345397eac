// In: lines. Out: ids.
#include "data/id_list.h"

#include <string_view>

#include "base/error.h"
#include "data/fields.h"
#include "data/ids.h"
#include "data/text_file.h"

namespace evenkeel::data {
namespace {

// As in interactions files: `#3` may be an id.
bool is_comment(std::string_view line) {
  return line.front() == '#' && (line.size() == 1 || line[1] == ' ' || line[1] == '\t');
}

std::vector<std::string> ids_of(const TextFile& file) {
  Ids known;
  std::vector<std::string> ids;
  LineCursor lines(file.text());
  std::string_view line;
  while (lines.next(line)) {
    const std::string_view id = trimmed(line);
    if (id.empty() || is_comment(id) || known.insert(id) != ids.size()) continue;
    ids.emplace_back(id);
  }
  if (lines.too_long()) {
    fail_data("{}:{}: the line is longer than {} MiB; give one id on each line", file.path(),
              lines.taken() + 1, kLongestLine >> 20);
  }
  return ids;
}

}  // namespace

std::vector<std::string> read_id_list(const std::string& path) {
  return ids_of(TextFile(path));
}

}  // namespace evenkeel::data
