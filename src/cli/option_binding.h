// Fields as command-line options. In: a list of Field; out: --options with help, default and range,
// and the Settings they and a TOML file make.
#pragma once

#include <CLI/CLI.hpp>

#include <map>
#include <string>
#include <string_view>

#include "base/settings.h"

namespace evenkeel::cli {

class BoundOptions {
 public:
  explicit BoundOptions(Settings settings) : settings_(std::move(settings)) {}
  BoundOptions(const BoundOptions&) = delete;  // CLI11 holds the addresses of the texts
  BoundOptions& operator=(const BoundOptions&) = delete;

  void add_to(CLI::App& app, const std::string& group);

  bool given(std::string_view name) const;  // on the command line

  // What `before` has set, then the TOML file that is named, then the command line.
  Settings resolve_over(Settings before, const std::string& toml_path = "") const;
  // Defaults, then the TOML files that are named, then the command line.
  Settings resolve(const std::string& toml_path = "", const std::string& second_path = "") const;

 private:
  Settings settings_;
  std::map<std::string, std::string, std::less<>> texts_;  // as given; stable addresses
  std::map<std::string, CLI::Option*, std::less<>> options_;
};

}  // namespace evenkeel::cli
