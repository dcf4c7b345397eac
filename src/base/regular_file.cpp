// In: a path. Out: the file's bytes, or a sentence that says why not.
#include "base/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/descriptor.h"

namespace evenkeel {
namespace {

std::string system_reason(const std::string& path, int code) {
  return fmt::format("{}: {}; give a file that can be read", path, std::strerror(code));
}

}  // namespace

std::string read_regular_file(const std::string& path, std::uint64_t most, ErrorKind kind) {
  // O_NONBLOCK: a pipe is opened, and refused below, instead of waited for.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0) throw Error(kind, system_reason(path, errno));
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) throw Error(kind, system_reason(path, errno));
  if (S_ISDIR(status.st_mode)) {
    throw Error(kind, fmt::format("{} is a folder; give a file", path));
  }
  if (!S_ISREG(status.st_mode)) {
    throw Error(kind, fmt::format("{} is no regular file (a pipe or device); give a file", path));
  }
  const auto too_large = [&] {
    return Error(
        kind, fmt::format("{} has more than {} bytes; give the file that was meant", path, most));
  };
  if (static_cast<std::uint64_t>(status.st_size) > most) throw too_large();
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t used = 0;
  for (;;) {
    // Some files, as those of /proc, are longer than they say; others grow.
    if (used == bytes.size()) bytes.resize(bytes.size() + (1U << 12));
    const ssize_t got = ::read(file.number(), bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw Error(kind, system_reason(path, errno));
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
    if (used > most) throw too_large();
  }
  bytes.resize(used);
  return bytes;
}

}  // namespace evenkeel
