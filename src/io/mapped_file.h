// In: the path of a regular file. Out: its bytes, mapped read-only; anything else (a folder, a
// pipe, a device) and what cannot be opened is a data error that says why.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace evenkeel::io {

class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const {
    return map_ != nullptr ? std::string_view(static_cast<const char*>(map_), size_) : "";
  }

 private:
  void* map_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace evenkeel::io
