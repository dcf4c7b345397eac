// In: lines. Out: ids.
#include "data/id_list.h"

#include <array>
#include <cstdio>
#include <memory>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "data/fields.h"
#include "data/ids.h"
#include "data/text_file.h"

namespace evenkeel::data {
namespace {

std::string all_of(std::FILE* stream, const std::string& name) {
  std::string bytes;
  std::array<char, std::size_t{1} << 16> block{};
  while (const std::size_t got = std::fread(block.data(), 1, block.size(), stream)) {
    bytes.append(block.data(), got);
  }
  if (std::ferror(stream) != 0) fail_data("{}: cannot be read to its end; give a file", name);
  return bytes;
}

// What the shell makes of <(command): a pipe that is open already, so that reading it cannot wait
// for somebody to open the other end.
bool is_descriptor(std::string_view path) {
  return path.starts_with("/dev/fd/") || path == "/dev/stdin";
}

std::vector<std::string> ids_of(const TextFile& file) {
  Ids known;
  std::vector<std::string> ids;
  LineCursor lines(file.text());
  std::string_view line;
  while (lines.next(line)) {
    const std::string_view id = trimmed(line);
    if (id.empty() || known.insert(id) != ids.size()) continue;
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
  if (path == "-") return ids_of(TextFile("the standard input", all_of(stdin, "stdin")));
  if (!is_descriptor(path)) return ids_of(TextFile(path));
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(path.c_str(), "rb"),
                                                               std::fclose);
  if (!stream) fail_data("{}: cannot be opened; give a file with one id on each line", path);
  return ids_of(TextFile(path, all_of(stream.get(), path)));
}

}  // namespace evenkeel::data
