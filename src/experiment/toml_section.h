// One table of a TOML file that people write. In: the table and the keys it may have; out: checked
// values, or a sentence with the file, the line and the remedy.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/settings.h"
#include "base/toml_value.h"

namespace evenkeel::experiment {

// One table of the file: knows its keys, so that a strange one is named with its nearest match.
class Section {
 public:
  Section(const std::string& path, const toml::table& table, std::string what,
          std::vector<std::string_view> known)
      : path_(path), table_(table), what_(std::move(what)) {
    for (const auto& [key, node] : table) {
      if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
      fail_config("{}:{}: {}", path, node.source().begin.line,
                  unknown_name("key", key.str(), known));
    }
  }

  const toml::node* find(std::string_view key) const { return table_.get(key); }
  std::string place(std::string_view key) const { return toml_place(path_, *find(key), key); }
  std::string own_place() const { return toml_place(path_, table_, what_); }
  const std::string& path() const { return path_; }

  std::string text(std::string_view key, std::string otherwise = "") const {
    if (find(key) == nullptr) return otherwise;
    const auto value = find(key)->value_exact<std::string>();
    if (!value) fail_config("{} is not a text; write {} = \"...\"", place(key), key);
    return *value;
  }
  std::string name() const {
    std::string value = text("name");
    if (value.empty()) fail_config("{} has no name; write name = \"...\"", own_place());
    return value;
  }
  bool flag(std::string_view key) const {
    if (find(key) == nullptr) return false;
    const auto value = find(key)->value_exact<bool>();
    if (!value) fail_config("{} is neither true nor false; write {} = true", place(key), key);
    return *value;
  }
  std::int64_t integer(std::string_view key, std::int64_t otherwise, std::int64_t least) const {
    if (find(key) == nullptr) return otherwise;
    const auto value = find(key)->value_exact<std::int64_t>();
    if (!value || *value < least) {
      fail_config("{} is not a whole number of at least {}", place(key), least);
    }
    return *value;
  }
  const toml::table* table(std::string_view key) const {
    if (find(key) == nullptr) return nullptr;
    if (!find(key)->is_table()) {
      fail_config("{} is not a table; write {} = {{ name = value }}", place(key), key);
    }
    return find(key)->as_table();
  }
  std::vector<std::string> texts(std::string_view key) const {
    std::vector<std::string> list;
    if (find(key) == nullptr) return list;
    const toml::array* array = find(key)->as_array();
    if (array == nullptr) fail_config("{} is not a list; write {} = [\"...\"]", place(key), key);
    for (const toml::node& node : *array) {
      const auto value = node.value_exact<std::string>();
      if (!value) fail_config("{} holds something that is not a text", place(key));
      list.push_back(*value);
    }
    return list;
  }

 private:
  const std::string& path_;
  const toml::table& table_;
  std::string what_;
};

// [[data]], [[method]], ...: at least one table, each handed to `read`.
template <typename Read>
void for_tables(const Section& file, std::string_view key, Read read) {
  const toml::array* array = file.find(key) != nullptr ? file.find(key)->as_array() : nullptr;
  if (array == nullptr || array->empty()) {
    fail_config("{} has no [[{}]]; add at least one", file.path(), key);
  }
  for (const toml::node& node : *array) {
    if (!node.is_table()) fail_config("{}: write [[{}]]", file.place(key), key);
    read(*node.as_table());
  }
}

}  // namespace evenkeel::experiment
