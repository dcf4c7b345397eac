// In: a path. Out: its bytes in the address space, or a sentence that says why not.
#include "io/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/descriptor.h"
#include "base/error.h"

namespace evenkeel::io {
namespace {

[[noreturn]] void fail_open(const std::string& path, int code) {
  if (code == ENOENT) fail_data("{}: no such file; check the path", path);
  if (code == EACCES) fail_data("{}: not readable; check its permissions", path);
  fail_data("{}: cannot be read ({}); check the file", path, std::strerror(code));
}

// Only a regular file keeps its bytes: a pipe can be read once and may wait for ever for a writer.
void refuse_irregular(const std::string& path, mode_t mode) {
  if (S_ISREG(mode)) return;
  if (S_ISDIR(mode)) fail_data("{}: is a folder; give a file", path);
  const char* kind = S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket" : "a device";
  fail_data("{}: is {}, not a file; write what it holds to a file and give that", path, kind);
}

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  // Looked at before it is opened: opening a device may already do something, a socket cannot be.
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) fail_open(path, errno);
  refuse_irregular(path, status.st_mode);
  // Should a pipe take the file's place in between, O_NONBLOCK keeps open() from waiting.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0) fail_open(path, errno);
  if (::fstat(file.number(), &status) != 0) fail_open(path, errno);
  refuse_irregular(path, status.st_mode);
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ == 0) return;
  void* map = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (map == MAP_FAILED) fail_open(path, errno);
  map_ = map;
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : map_(std::exchange(other.map_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile::~MappedFile() {
  if (map_ != nullptr) ::munmap(map_, size_);
}

}  // namespace evenkeel::io
