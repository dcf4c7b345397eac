// A report of three small runs, made once for each file of tests, and the contract of its fields.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "places.h"
#include "report/trained_runs.h"

namespace evenkeel::testing {

using nlohmann::json;
namespace fs = std::filesystem;

class Report : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    scratch_ = new Scratch;
    write_hostile_data(*scratch_, "data");
    train_small(scratch_->path("data"), scratch_->path("runs/bc"), {{"loss", "bc"}});
    train_small(scratch_->path("data"), scratch_->path("runs/bpr"), {{"loss", "bpr"}});
    train_small(scratch_->path("data"), scratch_->path("runs/pop"), {{"loss", "most-pop"}});
    whole_ = new json(report_of({scratch_->path("runs")}));
  }
  static void TearDownTestSuite() {
    delete whole_;
    delete scratch_;
  }
  // A copy of a run that a test may damage.
  static std::string copy_of(const std::string& run, const std::string& to) {
    fs::create_directories(fs::path(scratch_->path(to)).parent_path());
    fs::copy(scratch_->path(run), scratch_->path(to), fs::copy_options::recursive);
    return scratch_->path(to);
  }
  static bool says(const json& report, const std::string& words) {
    return report["notices"].dump().find(words) != std::string::npos;
  }

  static inline Scratch* scratch_ = nullptr;
  static inline json* whole_ = nullptr;
};

inline std::string read_text(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Names of the fields of an interface of web/src/data.ts.
inline std::set<std::string> fields_of(const std::string& interface) {
  std::ifstream file(source_folder() / "web/src/data.ts");
  std::set<std::string> fields;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("export interface " + interface + " {")) inside = true;
    if (line == "}") inside = false;
    const std::size_t colon = line.find(": ");
    if (!inside || !line.starts_with("  ") || colon == std::string::npos) continue;
    const std::string name = line.substr(2, colon - 2);
    const bool plain = name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") == name.npos;
    if (plain && !name.empty()) fields.insert(name);
  }
  return fields;
}

inline void expect_fields(const json& object, const std::string& interface) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  EXPECT_EQ(keys, fields_of(interface)) << interface;
}

}  // namespace evenkeel::testing
