// In: blocks. Out: the file they make.
#include "io/placed_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace evenkeel::io {

PlacedFile::PlacedFile(const std::string& path) : path_(path) {
  descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("create", errno);
}

PlacedFile::~PlacedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void PlacedFile::fail(const char* action, int code) const {
  fail_run("{}: cannot {} the file ({}); free space on that disk or choose another folder", path_,
           action, std::strerror(code));
}

void PlacedFile::write(std::uint64_t offset, std::string_view bytes) const {
  const auto first = static_cast<off_t>(offset);
  const auto size = static_cast<off_t>(bytes.size());
  while (!bytes.empty()) {
    const ssize_t written =
        ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("write", written < 0 ? errno : ENOSPC);
    bytes.remove_prefix(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
#ifdef SYNC_FILE_RANGE_WRITE
  // The disk begins at once, so that finish() has little left to wait for. No promise: that is
  // fsync's.
  ::sync_file_range(descriptor_, first, size, SYNC_FILE_RANGE_WRITE);
#endif
}

void PlacedFile::finish() {
  if (::fsync(descriptor_) != 0) fail("flush", errno);
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0) fail("close", errno);
}

}  // namespace evenkeel::io
