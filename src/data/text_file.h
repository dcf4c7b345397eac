// In: the path of a text file, plain, .gz or .zst, or - for the standard input. Out: its text
// without BOM, and lines of it; folders, named pipes, binary files and endless lines are refused
// with a sentence.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/mapped_file.h"

namespace evenkeel::data {

inline constexpr std::size_t kLongestLine = std::size_t{64} << 20;
inline constexpr std::string_view kStandardInput = "-";

// The standard input, or what the shell makes of <(command): it can be read once.
bool is_stream(std::string_view path);

std::string_view unpacked_name(std::string_view path);  // without .gz or .zst

class TextFile {
 public:
  // Also what the shell makes of <(command), which is open already. Such a stream is read once.
  explicit TextFile(std::string path);
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  const std::string& path() const { return path_; }
  std::string_view text() const { return text_; }

 private:
  void unpack();

  std::string path_;
  std::optional<io::MappedFile> file_;
  std::string owned_;  // text that is not as the file has it
  std::string_view text_;
};

// The lines of a text, without their line ends (LF or CRLF) and without a byte order mark, which
// joined files have in the middle. Stops at a line over kLongestLine instead of searching gigabytes
// for its end.
class LineCursor {
 public:
  explicit LineCursor(std::string_view text) : rest_(text) {}

  bool next(std::string_view& line);
  // For who has found line ends itself: steps over `lines` whole lines of `bytes` in all.
  void pass(std::size_t bytes, std::uint64_t lines) {
    rest_.remove_prefix(bytes);
    taken_ += lines;
  }
  std::string_view rest() const { return rest_; }
  std::uint64_t taken() const { return taken_; }  // lines so far
  bool too_long() const { return too_long_; }

 private:
  std::string_view rest_;
  std::uint64_t taken_ = 0;
  bool too_long_ = false;
};

// A value for an error sentence: short and printable.
std::string excerpt(std::string_view value);

}  // namespace evenkeel::data
