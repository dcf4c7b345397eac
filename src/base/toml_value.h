// TOML as options. In: a node of a parsed file; out: an option's value, or a sentence with file,
// line and key about what is wrong with it.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

#include "base/settings.h"

namespace evenkeel {

// Throws a config error with file, line and reason when the file is missing or no TOML.
toml::table parse_toml(const std::string& path);

std::string toml_place(const std::string& path, const toml::node& node, std::string_view key);

// A single text, number or flag; anything else is a config error at `where`.
Value toml_value(const toml::node& node, const std::string& where);

// Sets the option `key`; an unknown key names its line and nearest match.
void set_from_toml(Settings& settings, const std::string& path, std::string_view key,
                   const toml::node& node);

}  // namespace evenkeel
