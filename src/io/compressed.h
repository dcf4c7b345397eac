// In: bytes of a gzip or zstd file, known by their first bytes. Out: what they unpack to;
// damaged or cut streams are data errors.
#pragma once

#include <string>
#include <string_view>

#include "base/function_ref.h"

namespace evenkeel::io {

enum class Compression { kNone, kGzip, kZstd };

Compression detect_compression(std::string_view bytes);

// Unpacks all members (gzip) or frames (zstd) of `bytes`; `path` names the file in errors.
// `inspect` sees every block as it is unpacked and may throw to stop early.
std::string decompress(std::string_view bytes, const std::string& path,
                       FunctionRef<void(std::string_view)> inspect);
std::string decompress(std::string_view bytes, const std::string& path);

}  // namespace evenkeel::io
