// In: bytes for a path. Out: a complete file under that name, or an error and the old file.
#include "io/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/error.h"

namespace evenkeel::io {
namespace {

constexpr std::size_t kBufferBytes = 1 << 18;

const char* remedy_for(int code) {
  switch (code) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "free space on that disk or choose another folder";
    case EACCES:
    case EPERM:
    case EROFS:
      return "choose a folder you may write to";
    case ENOENT:
    case ENOTDIR:
      return "create its folder first or correct the path";
    case EISDIR:
      return "that name is a folder: choose another";
    default:
      return "check the disk or choose another folder";
  }
}

// Where the link points.
std::string follow_links(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_symlink(path, ignored)) return path;
  const auto target = std::filesystem::weakly_canonical(path, ignored);
  return target.empty() ? path : target.string();
}

std::string folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

// Whether the name is the system's: whoever is root must not replace /dev/stdout or /dev/null.
bool is_system_file(const std::string& path) {
  std::error_code ignored;
  const std::string folder = std::filesystem::weakly_canonical(folder_of(path), ignored).string();
  return folder == "/dev" || folder == "/dev/pts" || (folder + "/").starts_with("/proc/");
}

int write_all(int descriptor, const char* bytes, std::size_t size) {  // 0 or the system's code
  while (size > 0) {
    const ssize_t written = ::write(descriptor, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : ENOSPC;
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
  return 0;
}

[[noreturn]] void fail_write(const std::string& path, const char* action, int code) {
  fail_run("{}: cannot {} ({}); {}", path, action, std::strerror(code), remedy_for(code));
}

// Without this the new name itself may be lost in a power failure. Not every file system can.
void sync_folder(const std::string& path) {
  const int folder = ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  ::fsync(folder);
  ::close(folder);
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path, Links links) : path_(path), target_(path) {
  const bool follow = links == Links::kFollow || is_system_file(path);
  if (follow) target_ = follow_links(path);
  struct stat status {};
  const int found = follow ? ::stat(target_.c_str(), &status) : ::lstat(target_.c_str(), &status);
  if (found == 0 && S_ISDIR(status.st_mode)) fail("write", EISDIR);
  if (follow && found == 0 && !S_ISREG(status.st_mode)) {
    // A device or pipe (/dev/stdout) must not be renamed away.
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("write", errno);
  }
  for (int attempt = 0; descriptor_ < 0; ++attempt) {
    temporary_ = fmt::format("{}.{}-{}.tmp", target_, ::getpid(), attempt);
    descriptor_ =
        ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST) {
      const int code = errno;
      temporary_.clear();
      fail("write", code);
    }
  }
  buffer_.reserve(kBufferBytes);
}

AtomicFile::~AtomicFile() {
  discard();
}

void AtomicFile::discard() noexcept {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  descriptor_ = -1;
  temporary_.clear();
}

void AtomicFile::fail(const char* action, int code) {
  discard();
  fail_write(path_, action, code);
}

void AtomicFile::write(const void* bytes, std::size_t size) {
  EVENKEEL_CHECK(descriptor_ >= 0);
  const char* from = static_cast<const char*>(bytes);
  if (buffer_.size() + size > kBufferBytes) {
    write_through(buffer_.data(), buffer_.size());
    buffer_.clear();
  }
  if (size >= kBufferBytes) {
    write_through(from, size);
  } else if (size > 0) {
    buffer_.insert(buffer_.end(), from, from + size);
  }
}

void AtomicFile::write_through(const char* bytes, std::size_t size) {
  if (const int code = write_all(descriptor_, bytes, size); code != 0) fail("write", code);
}

void AtomicFile::commit() {
  EVENKEEL_CHECK(descriptor_ >= 0);
  write_through(buffer_.data(), buffer_.size());
  buffer_.clear();
  if (temporary_.empty()) {
    discard();
    return;
  }
  if (::fsync(descriptor_) != 0) fail("flush to disk", errno);
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0) fail("close", errno);
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail("replace", errno);
  temporary_.clear();
  sync_folder(target_);
}

void write_file_atomically(const std::string& path, std::string_view bytes, Links links) {
  AtomicFile file(path, links);
  file.write(bytes);
  file.commit();
}

void append_line(const std::string& path, std::string_view line) {
  // O_NONBLOCK: a pipe that nobody reads must not be waited for.
  constexpr int kHow = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  const auto is_file = [](int descriptor) {
    struct stat status {};
    return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  };
  int file = ::open(path.c_str(), kHow, 0666);
  if (file < 0 ? errno == ELOOP || errno == ENXIO : !is_file(file)) {
    if (file >= 0) ::close(file);
    if (::unlink(path.c_str()) != 0) fail_write(path, "replace", errno);
    file = ::open(path.c_str(), kHow | O_EXCL, 0666);
  }
  if (file < 0) fail_write(path, "write", errno);
  const std::string text = std::string(line) + "\n";
  const int failure = write_all(file, text.data(), text.size());
  if (::close(file) != 0 && failure == 0) fail_write(path, "close", errno);
  if (failure != 0) fail_write(path, "write", failure);
}

}  // namespace evenkeel::io
