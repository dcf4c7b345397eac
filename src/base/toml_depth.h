// TOML before it is parsed. In: its text; out: where it is nested deeper than any of our files, as
// parsing and freeing such tables would end in a stack overflow.
#pragma once

#include <cstddef>
#include <string_view>

namespace evenkeel {

inline constexpr std::size_t kDeepestToml = 32;

// The line (from 1) where more than `most` brackets or braces are open, or a key has more than
// `most` dots; 0 where there is none. Strings and comments do not count.
std::size_t line_nested_deeper(std::string_view text, std::size_t most = kDeepestToml);

}  // namespace evenkeel
