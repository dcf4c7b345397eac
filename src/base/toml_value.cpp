// In: nodes of a TOML file. Out: values in settings, or where and why not.
#include "base/toml_value.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/regular_file.h"
#include "base/toml_depth.h"

namespace evenkeel {

toml::table parse_toml(const std::string& path) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 24;
  const std::string text = read_regular_file(path, kMostBytes, ErrorKind::kConfig);
  if (const std::size_t line = line_nested_deeper(text); line > 0) {
    fail_config("{}:{}: nested deeper than {} levels; mend the TOML", path, line, kDeepestToml);
  }
  try {
    return toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    fail_config("{}:{}: {}; mend the TOML", path, error.source().begin.line, error.description());
  }
}

std::string toml_place(const std::string& path, const toml::node& node, std::string_view key) {
  return fmt::format("{}:{}: {}", path, node.source().begin.line, key);
}

Value toml_value(const toml::node& node, const std::string& where) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto integer = node.value_exact<std::int64_t>()) return *integer;
  if (const auto number = node.value_exact<double>()) return *number;
  if (const auto flag = node.value_exact<bool>()) return *flag;
  fail_config("{} is not a single value; write key = value", where);
}

void set_from_toml(Settings& settings, const std::string& path, std::string_view key,
                   const toml::node& node) {
  if (!settings.has(key)) {
    std::vector<std::string_view> names;
    for (const Field* field : settings.fields()) names.push_back(field->name);
    fail_config("{}:{}: {}", path, node.source().begin.line, unknown_name("key", key, names));
  }
  const std::string where = toml_place(path, node, key);
  settings.set(key, toml_value(node, where), where);
}

}  // namespace evenkeel
