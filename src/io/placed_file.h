// A new file whose blocks are written in any order. In: blocks and their places, from any thread;
// out: the file, flushed to disk. For files inside a folder that appears as a whole.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace evenkeel::io {

// Every failure throws a run error with the path, the system's reason and a remedy.
class PlacedFile {
 public:
  explicit PlacedFile(const std::string& path);
  ~PlacedFile();
  PlacedFile(const PlacedFile&) = delete;
  PlacedFile& operator=(const PlacedFile&) = delete;

  void write(std::uint64_t offset, std::string_view bytes) const;
  void finish();  // flush, close

 private:
  [[noreturn]] void fail(const char* action, int code) const;
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace evenkeel::io
