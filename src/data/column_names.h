// Header names people use. In: the names of a header; out: which column holds what.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace evenkeel::data {

enum class ColumnKind { kUser, kItem, kRating, kTime };

// Letters and digits only, in small letters: `User-ID` and `userId` are the same name.
std::string plain_name(std::string_view name);

// The column with the plainest name of this kind.
std::optional<std::size_t> known_column(std::span<const std::string> names, ColumnKind kind);

}  // namespace evenkeel::data
