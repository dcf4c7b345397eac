// In: a file that should be text. Out: its lines, or a sentence that says what it is instead.
#include "data/text_file.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/error.h"
#include "io/compressed.h"

namespace evenkeel::data {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

struct Signature {
  std::string_view start;
  const char* kind;
};

// Formats that people hand over by mistake; all need an export to CSV first.
constexpr std::array<Signature, 9> kForeign{{
    {"PAR1", "a Parquet file (the program of the Python package reads it)"},
    {"PK\x03\x04", "a zip archive (or an Excel file)"},
    {"SQLite format 3", "an SQLite database"},
    {"\x89HDF", "an HDF5 file"},
    {"\x93NUMPY", "a NumPy file"},
    {"BZh", "a bzip2 file"},
    {"\xfd"
     "7zXZ",
     "an xz file"},
    {"\xff\xfe", "UTF-16 text"},
    {"\xfe\xff", "UTF-16 text"},
}};

void refuse_binary(const std::string& path, std::string_view text) {
  for (const Signature& known : kForeign) {
    if (!text.starts_with(known.start)) continue;
    fail_data("{}: this is {}, not plain text; export it as UTF-8 CSV", path, known.kind);
  }
  const std::string_view sample = text.substr(0, 4096);
  const auto strange = std::count_if(sample.begin(), sample.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\n' && c != '\r' && c != '\t') || byte == 0x7f;
  });
  if (strange * 20 > static_cast<std::ptrdiff_t>(sample.size())) {
    fail_data(
        "{}: binary data, not text ({} control bytes in the first {}); export it as UTF-8 CSV",
        path, strange, sample.size());
  }
}

// A packed file could hide a line of any length: stop unpacking when one has gone on too long.
class LineGuard {
 public:
  explicit LineGuard(const std::string& path) : path_(path) {}
  void operator()(std::string_view block) {
    const std::size_t end = block.find_last_of("\r\n");
    open_ = end == std::string_view::npos ? open_ + block.size() : block.size() - end - 1;
    if (open_ > kLongestLine) {
      fail_data("{}: a line is longer than {} MiB; is this a list of interactions, one per line?",
                path_, kLongestLine >> 20);
    }
  }

 private:
  const std::string& path_;
  std::size_t open_ = 0;
};

std::string all_of(std::FILE* stream, const std::string& name) {
  std::string bytes;
  std::array<char, std::size_t{1} << 16> block{};
  while (const std::size_t got = std::fread(block.data(), 1, block.size(), stream)) {
    bytes.append(block.data(), got);
  }
  if (std::ferror(stream) != 0) fail_data("{}: cannot be read to its end; give a file", name);
  return bytes;
}

std::string stream_bytes(const std::string& path) {
  if (path == kStandardInput) return all_of(stdin, "the standard input");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(path.c_str(), "rb"),
                                                               std::fclose);
  if (!stream) fail_data("{}: cannot be opened; give a file", path);
  return all_of(stream.get(), path);
}

}  // namespace

// A pipe that is open already, so that reading it cannot wait for somebody to open the other end.
bool is_stream(std::string_view path) {
  return path == kStandardInput || path.starts_with("/dev/fd/") || path == "/dev/stdin";
}

std::string_view unpacked_name(std::string_view path) {
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (path.ends_with(packed)) return path.substr(0, path.size() - packed.size());
  }
  return path;
}

TextFile::TextFile(std::string path) : path_(std::move(path)) {
  if (is_stream(path_)) {
    owned_ = stream_bytes(path_);
    text_ = owned_;
    if (path_ == kStandardInput) path_ = "the standard input";
  } else {
    file_.emplace(path_);
    text_ = file_->bytes();
  }
  unpack();
}

void TextFile::unpack() {
  if (io::detect_compression(text_) != io::Compression::kNone) {
    LineGuard guard(path_);
    owned_ = io::decompress(text_, path_, guard);
    text_ = owned_;
  }
  if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
  refuse_binary(path_, text_);
  // CR alone ends the lines of old Mac files; everything behind this point knows LF.
  const std::string_view inner = text_.substr(0, text_.find_last_not_of("\r\n") + 1);
  if (inner.find('\n') == std::string_view::npos && inner.find('\r') != std::string_view::npos) {
    std::string lines(text_);
    std::replace(lines.begin(), lines.end(), '\r', '\n');
    owned_ = std::move(lines);
    text_ = owned_;
  }
}

bool LineCursor::next(std::string_view& line) {
  if (rest_.empty() || too_long_) return false;
  const std::size_t window = std::min(rest_.size(), kLongestLine + 1);
  const void* found = std::memchr(rest_.data(), '\n', window);
  if (found == nullptr && rest_.size() > kLongestLine) {
    too_long_ = true;
    return false;
  }
  const std::size_t length =
      found == nullptr ? rest_.size()
                       : static_cast<std::size_t>(static_cast<const char*>(found) - rest_.data());
  line = rest_.substr(0, length);
  rest_.remove_prefix(std::min(length + 1, rest_.size()));
  while (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  if (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  ++taken_;
  return true;
}

std::string excerpt(std::string_view value) {
  constexpr std::size_t kShown = 40;
  std::string out(value.substr(0, kShown));
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  if (value.size() <= kShown) return out;
  // Never cut inside a UTF-8 letter.
  while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0xc0) == 0x80) out.pop_back();
  if (!out.empty() && (static_cast<unsigned char>(out.back()) & 0x80) != 0) out.pop_back();
  return out + "...";
}

}  // namespace evenkeel::data
