// A file that appears whole or not at all. In: a path and bytes; out: the bytes written beside the
// target, flushed to disk and renamed over it. On any failure the old file stays as it was.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace evenkeel::io {

// What becomes of a symbolic link under the name, or of a pipe or device: a file of a run folder
// takes its place, so that nobody can lead a write elsewhere; a file the user named is written
// where the link leads. What the system keeps (/dev/stdout) is always written, never replaced.
enum class Links { kReplace, kFollow };

// Every failure throws a run error with the path, the system's reason and a remedy.
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path, Links links = Links::kReplace);
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
  std::string target_;     // where it goes
  std::string temporary_;  // empty: a device or pipe is written directly
  std::vector<char> buffer_;
  int descriptor_ = -1;
};

void write_file_atomically(const std::string& path, std::string_view bytes,
                           Links links = Links::kReplace);

// Adds a line to a log that grows. What is there but is no regular file (a link, a pipe) is
// replaced by a new one.
void append_line(const std::string& path, std::string_view line);

}  // namespace evenkeel::io
