// Golden values: the repository's own (tests/golden) and, where they lie beside the repository, the
// independent ones of the shared folder. In: a file's name; out: its cases. Both have one layout.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/matrix.h"
#include "data/dataset.h"
#include "real_data.h"

namespace evenkeel::testing {

struct GoldenCase {
  std::string source;  // "own" or "shared"
  std::string name, encoder;
};

inline std::filesystem::path golden_path(const std::string& source, const std::string& file) {
  return source == "own" ? source_folder() / "tests/golden" / file
                         : shared_folder() / "golden" / file;
}

inline nlohmann::json read_golden(const std::string& source, const std::string& file) {
  std::ifstream stream(golden_path(source, file));
  return nlohmann::json::parse(stream);
}

// The repository's own file must be there; a test without it fails.
inline std::vector<std::string> golden_sources(const std::string& file) {
  std::vector<std::string> sources{"own"};
  if (std::filesystem::exists(golden_path("shared", file))) sources.emplace_back("shared");
  return sources;
}

inline std::vector<GoldenCase> golden_cases() {
  std::vector<GoldenCase> cases;
  for (const std::string& source : golden_sources("losses.json")) {
    const nlohmann::json golden = read_golden(source, "losses.json");
    for (const auto& entry : golden.at("cases")) {
      cases.push_back({source, entry.at("name"), entry.at("encoder")});
    }
  }
  return cases;
}

inline std::string case_label(const GoldenCase& one) {
  std::string label = one.source + "_" + one.encoder + "_" + one.name;
  std::replace_if(
      label.begin(), label.end(), [](char c) { return !std::isalnum(c); }, '_');
  return label;
}

inline const nlohmann::json& find_case(const nlohmann::json& golden, const GoldenCase& wanted) {
  for (const auto& entry : golden.at("cases")) {
    if (entry.at("name") == wanted.name && entry.at("encoder") == wanted.encoder) return entry;
  }
  throw std::runtime_error("no golden case " + wanted.name);
}

inline Matrix matrix_of(const nlohmann::json& rows) {
  Matrix matrix(rows.size(), rows.at(0).size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < matrix.dim(); ++c) matrix.row(r)[c] = rows[r][c].get<float>();
  }
  return matrix;
}

inline data::Dataset dataset_of(const nlohmann::json& golden) {
  data::Ids users, items;
  for (int u = 0; u < golden.at("n_users"); ++u) users.insert("u" + std::to_string(u));
  for (int i = 0; i < golden.at("n_items"); ++i) items.insert("i" + std::to_string(i));
  std::vector<Pair> train;
  for (const auto& pair : golden.at("train")) train.push_back({pair[0], pair[1]});
  return data::make_dataset("golden", std::move(users), std::move(items), train, {}, {});
}

// Within 1e-4 of the value, or of a hundredth of the table's largest for values near zero.
inline void expect_close(const Matrix& actual, const nlohmann::json& expected,
                         const std::string& what) {
  double largest = 0;
  for (const auto& row : expected) {
    for (const auto& value : row) largest = std::max(largest, std::abs(value.get<double>()));
  }
  ASSERT_EQ(actual.rows(), expected.size());
  for (std::size_t r = 0; r < expected.size(); ++r) {
    for (std::size_t c = 0; c < expected[r].size(); ++c) {
      const double value = expected[r][c];
      EXPECT_NEAR(double{actual.row(r)[c]}, value, 1e-4 * std::max(std::abs(value), largest / 100))
          << what << " row " << r << " column " << c;
    }
  }
}

}  // namespace evenkeel::testing
