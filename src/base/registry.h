// Looking a name up in a table of entries: one sentence for what is not there, for all tables.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/settings.h"

namespace evenkeel {

template <typename Entry>
std::vector<std::string_view> entry_names(std::span<const Entry> entries) {
  std::vector<std::string_view> names;
  for (const Entry& entry : entries) names.push_back(entry.name);
  return names;
}

template <typename Entry>
const Entry& find_entry(std::string_view kind, std::string_view name,
                        std::span<const Entry> entries) {
  for (const Entry& entry : entries) {
    if (entry.name == name) return entry;
  }
  fail_config("{}", unknown_name(kind, name, entry_names(entries)));
}

}  // namespace evenkeel
