// In: fields and the words after --name. Out: checked settings; the errors are those of Settings.
#include "cli/option_binding.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace evenkeel::cli {
namespace {

std::string type_text(const Field& field) {
  if (!field.choices.empty()) return fmt::format("{}", fmt::join(field.choices, "|"));
  if (std::holds_alternative<std::int64_t>(field.default_value)) return "N";
  if (std::holds_alternative<double>(field.default_value)) return "X";
  return "TEXT";
}

std::string default_text(const Field& field) {
  if (const auto* text = std::get_if<std::string>(&field.default_value)) return *text;
  if (const auto* number = std::get_if<double>(&field.default_value)) {
    return fmt::format("{}", *number);
  }
  return to_text(field.default_value);
}

// 1e9 and more are guards against overflow and 0 goes without saying: no news for the reader.
std::string range_suffix(const Field& field) {
  if (std::holds_alternative<std::string>(field.default_value)) return "";
  const bool high = std::isfinite(field.max) && field.max < 1e9;
  const bool low = std::isfinite(field.min) && (high || field.min != 0);
  if (low && high) return fmt::format(" ({} to {})", field.min, field.max);
  if (low) return fmt::format(" (at least {})", field.min);
  if (high) return fmt::format(" (at most {})", field.max);
  return "";
}

}  // namespace

void BoundOptions::add_to(CLI::App& app, const std::string& group) {
  for (const Field* field : settings_.fields()) {
    const std::string name(field->name);
    std::string& text = texts_[name];
    const std::string help = std::string(field->help) + range_suffix(*field);
    CLI::Option* option = nullptr;
    if (const auto* flag = std::get_if<bool>(&field->default_value)) {
      const std::string negated = *flag ? fmt::format(",!--no-{}", name) : "";
      option = app.add_flag(fmt::format("--{}{}", name, negated), text,
                            help + (*flag ? " (default: on)" : ""));
    } else {
      // One letter after two dashes reads like a slip: the same after one dash is known, too.
      const std::string names = name.size() == 1 ? fmt::format("-{0},--{0}", name) : "--" + name;
      option = app.add_option(names, text, help)->type_name(type_text(*field));
      const std::string shown = default_text(*field);
      if (!shown.empty()) option->default_str(shown);
    }
    option->group(group)->take_last();
    options_[name] = option;
  }
}

bool BoundOptions::given(std::string_view name) const {
  const auto option = options_.find(name);
  return option != options_.end() && option->second->count() > 0;
}

Settings BoundOptions::resolve(const std::string& toml_path, const std::string& second_path) const {
  Settings settings = settings_;
  if (!toml_path.empty()) settings.load_toml(toml_path);
  return resolve_over(std::move(settings), second_path);
}

Settings BoundOptions::resolve_over(Settings settings, const std::string& toml_path) const {
  if (!toml_path.empty()) settings.load_toml(toml_path);
  for (const auto& [name, option] : options_) {
    if (option->count() == 0) continue;
    settings.set(name, std::string_view(texts_.find(name)->second), "--" + name);
  }
  return settings;
}

}  // namespace evenkeel::cli
