// A folder that lives as long as a test, and what tests do with it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/settings.h"
#include "data/interactions.h"
#include "data/options.h"
#include "data/reader.h"

namespace evenkeel::testing {

class Scratch {
 public:
  Scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "evenkeel-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string path(const std::string& name = "") const {
    return name.empty() ? folder_.string() : (folder_ / name).string();
  }
  std::string write(const std::string& name, std::string_view bytes) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return path(name);
  }

 private:
  std::filesystem::path folder_;
};

// "user item" for each pair, in order.
inline std::vector<std::string> pair_texts(const data::Interactions& log) {
  std::vector<std::string> out;
  for (const Pair& pair : log.pairs) {
    out.push_back(std::string(log.users.text(pair.user)) + "|" +
                  std::string(log.items.text(pair.item)));
  }
  return out;
}

inline const std::vector<std::string> kTwo{"u1|i1", "u2|i2"};  // pairs that many logs mean

inline data::Interactions read_text(std::string_view text, const data::ReadOptions& options = {},
                                    const std::string& name = "log.csv", int thread_count = 2) {
  const Scratch scratch;
  Threads threads(thread_count);
  return data::read_interactions(scratch.write(name, text), options, threads);
}

inline Settings settings_with(
    std::initializer_list<std::pair<std::string_view, std::string_view>> values) {
  Settings settings(data::data_fields());
  for (const auto& [name, value] : values) settings.set(name, value);
  return settings;
}

// The sentence of the error that `action` must throw, after checking its kind.
template <typename Action>
std::string failure_of(ErrorKind kind, Action action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return "";
}

inline void expect_holds(const std::string& text, std::initializer_list<std::string_view> pieces) {
  for (const std::string_view piece : pieces) {
    EXPECT_NE(text.find(piece), std::string::npos) << "'" << piece << "' is not in: " << text;
  }
}

}  // namespace evenkeel::testing
