// JSON of strangers. In: text; out: its value, or a discarded one (is_discarded()) where the text
// is no JSON or nested deeper than any of our records: copies, comparisons and dump() of such a
// value recurse and would end in a stack overflow.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace evenkeel::io {

inline constexpr std::size_t kDeepestJson = 64;

// Every parse of the program goes through here. Never throws.
nlohmann::json parse_json(std::string_view text, std::size_t most_levels = kDeepestJson);

// The same for a record in a file: what cannot be opened, no regular file included, is discarded.
nlohmann::json read_json_file(const std::string& path);

// Text of a value that may hold paths and options in any encoding: what is not UTF-8 becomes the
// replacement character, where dump() would throw.
std::string dump_json(const nlohmann::json& value, int indent = -1);

}  // namespace evenkeel::io
