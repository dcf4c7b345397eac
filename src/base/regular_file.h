// A small file as a whole. In: a path; out: its bytes. Configurations and records are opened by
// name in folders of strangers, so a pipe, which would wait for ever, or a device is refused.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"

namespace evenkeel {

inline constexpr std::uint64_t kMostRecordBytes = std::uint64_t{1} << 30;

// What is missing, cannot be read, is no regular file or is larger than `most` bytes is an error of
// `kind` that says which.
std::string read_regular_file(const std::string& path, std::uint64_t most = kMostRecordBytes,
                              ErrorKind kind = ErrorKind::kData);

}  // namespace evenkeel
