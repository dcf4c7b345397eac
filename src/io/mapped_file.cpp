// In: a path. Out: its bytes in the address space, or a sentence that says why not.
#include "io/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace evenkeel {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

[[noreturn]] void fail_open(const std::string& path, int code) {
  if (code == ENOENT) fail_data("{}: no such file; check the path", path);
  if (code == EACCES) fail_data("{}: not readable; check its permissions", path);
  fail_data("{}: cannot be read ({}); check the file", path, std::strerror(code));
}

std::string read_stream(const std::string& path, int descriptor) {
  std::string bytes;
  std::size_t used = 0;
  for (;;) {
    if (bytes.size() - used < (1U << 16)) bytes.resize(bytes.size() * 2 + (1U << 20));
    const ssize_t got = ::read(descriptor, bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_open(path, errno);
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
  }
  bytes.resize(used);
  return bytes;
}

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) fail_open(path, errno);
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) fail_open(path, errno);
  if (S_ISDIR(status.st_mode)) fail_data("{}: is a folder; give a file", path);
  if (!S_ISREG(status.st_mode)) {
    owned_ = read_stream(path, file.number());
    return;
  }
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ == 0) return;
  void* map = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (map == MAP_FAILED) fail_open(path, errno);
  map_ = map;
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : map_(std::exchange(other.map_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      owned_(std::move(other.owned_)) {}

MappedFile::~MappedFile() {
  if (map_ != nullptr) ::munmap(map_, size_);
}

}  // namespace evenkeel
