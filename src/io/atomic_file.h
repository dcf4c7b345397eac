// A file that appears whole or not at all. In: a path and bytes; out: the bytes written beside the
// target, flushed to disk and renamed over it. On any failure the old file stays as it was.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace evenkeel {

// Every failure throws a run error with the path, the system's reason and a remedy.
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();  // without commit() the temporary file is removed
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes) { write(bytes.data(), bytes.size()); }
  void write(const void* bytes, std::size_t size);
  void commit();  // flush, fsync, rename; then nothing more may be written

 private:
  void write_through(const char* bytes, std::size_t size);
  [[noreturn]] void fail(const char* action, int code);
  void discard() noexcept;

  std::string path_;       // as the caller named it, for errors
  std::string target_;     // where it goes: links are followed
  std::string temporary_;  // empty: a device or pipe is written directly
  std::vector<char> buffer_;
  int descriptor_ = -1;
};

void write_file_atomically(const std::string& path, std::string_view bytes);

}  // namespace evenkeel
