// SHA-256 (FIPS 180-4). In: bytes; out: 64 hexadecimal digits, as sha256sum prints them.
#pragma once

#include <string>
#include <string_view>

namespace evenkeel::io {

std::string sha256_hex(std::string_view bytes);

}  // namespace evenkeel::io
