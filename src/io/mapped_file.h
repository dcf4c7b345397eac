// In: a path. Out: the file's bytes, mapped read-only (a pipe is read into memory instead);
// what cannot be opened is a data error that says why.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace evenkeel {

class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const {
    return map_ != nullptr ? std::string_view(static_cast<const char*>(map_), size_) : owned_;
  }

 private:
  void* map_ = nullptr;
  std::size_t size_ = 0;
  std::string owned_;
};

}  // namespace evenkeel
