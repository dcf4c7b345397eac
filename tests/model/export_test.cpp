// In: a small model. Out: files that other programs read; their dot products rank like the model.
#include "model/export.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "model/small_model.h"

namespace evenkeel::model {
namespace {

namespace fs = std::filesystem;
using testing::small_model;

class Export : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("evenkeel_export_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  static std::vector<std::string> lines(const std::string& path) {
    std::ifstream in(path);
    std::vector<std::string> result;
    for (std::string line; std::getline(in, line);) result.push_back(line);
    return result;
  }
  fs::path folder_;
};

TEST_F(Export, Word2vecHoldsUnitVectorsOfACosineModel) {
  const auto files = export_model(small_model(), "word2vec", at("v.txt"));
  ASSERT_EQ(files, (std::vector<std::string>{at("v.txt"), at("v.users.txt")}));
  const auto items = lines(files[0]);
  ASSERT_EQ(items.size(), 5U);
  EXPECT_EQ(items[0], "4 3");
  EXPECT_EQ(items[1], "i0 1 0 0");
  EXPECT_EQ(items[2], "50%25%20off 0 1 0");
  EXPECT_EQ(items[3].substr(0, 10), "tab%09id 0");
  std::istringstream row(items[4]);
  std::string id;
  float a = 0, b = 0, c = 0;
  row >> id >> a >> b >> c;
  EXPECT_EQ(a, static_cast<float>(-1 / std::sqrt(5.0))) << "the text gives back the same float";
  EXPECT_EQ(lines(files[1])[2], "b%20ö 0 1 0");
}

TEST_F(Export, RawAndDotKeepTheNorms) {
  export_model(small_model(), "word2vec", at("raw.txt"), true);
  EXPECT_EQ(lines(at("raw.txt"))[1], "i0 5 0 0");
  Model dot = small_model();
  dot.score = Score::kDot;
  export_model(dot, "word2vec", at("dot.txt"));
  EXPECT_EQ(lines(at("dot.txt"))[1], "i0 5 0 0");
}

TEST_F(Export, Word2vecIntoAFolder) {
  const auto files = export_model(small_model(), "word2vec", folder_.string());
  EXPECT_EQ(files, (std::vector<std::string>{at("items.txt"), at("users.txt")}));
}

TEST_F(Export, NpyFolderHasVectorsAndIds) {
  const auto files = export_model(small_model(), "npy", at("vectors"));
  ASSERT_EQ(files.size(), 6U);
  for (const std::string& file : files) EXPECT_TRUE(fs::exists(file)) << file;
  EXPECT_EQ(lines(at("vectors/user_ids.txt")),
            (std::vector<std::string>{"anna", "b ö", "c,\"c\""}));
  EXPECT_EQ(fs::file_size(at("vectors/items.npy")), 128U + 4 * 3 * 4);
}

TEST_F(Export, NpzIsOneFile) {
  EXPECT_EQ(export_model(small_model(), "npz", at("m.npz")).size(), 1U);
  EXPECT_GT(fs::file_size(at("m.npz")), 500U);
}

TEST_F(Export, UnknownFormatAndBadPath) {
  try {
    export_model(small_model(), "np", at("x"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    EXPECT_NE(std::string(error.what()).find("npy"), std::string::npos);
  }
  std::ofstream(at("file")) << "x";
  EXPECT_THROW(export_model(small_model(), "npy", at("file")), Error);
  EXPECT_THROW(export_model(small_model(), "npz", at("file/such.npz")), Error) << "under a file";
  export_model(small_model(), "npz", at("no/such.npz"));
  EXPECT_TRUE(std::filesystem::exists(at("no/such.npz"))) << "a missing folder is made";
}

}  // namespace
}  // namespace evenkeel::model
