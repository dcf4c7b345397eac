// Mapped files. In: paths good and bad; out: bytes or a sentence.
#include "io/mapped_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/error.h"

namespace evenkeel {
namespace {

namespace fs = std::filesystem;

class MappedFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "evenkeel-map-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string failure(const std::string& path) {
    try {
      MappedFile file(path);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kData);
      return error.what();
    }
    return "";
  }
  fs::path folder_;
};

TEST_F(MappedFileTest, GivesTheBytes) {
  const std::string bytes("a\0b\n", 4);
  std::ofstream(folder_ / "f", std::ios::binary) << bytes;
  MappedFile file((folder_ / "f").string());
  EXPECT_EQ(file.bytes(), bytes);
  const MappedFile moved(std::move(file));
  EXPECT_EQ(moved.bytes(), bytes);
}

TEST_F(MappedFileTest, EmptyFileIsEmpty) {
  std::ofstream(folder_ / "f").flush();
  EXPECT_EQ(MappedFile((folder_ / "f").string()).bytes(), "");
}

TEST_F(MappedFileTest, MissingFileAndFolderAreDataErrors) {
  EXPECT_NE(failure((folder_ / "none").string()).find("no such file"), std::string::npos);
  EXPECT_NE(failure(folder_.string()).find("is a folder"), std::string::npos);
}

TEST_F(MappedFileTest, UnreadableFileIsADataError) {
  std::ofstream(folder_ / "f") << "x";
  fs::permissions(folder_ / "f", fs::perms::none);
  if (::access((folder_ / "f").c_str(), R_OK) == 0) GTEST_SKIP() << "root reads every file";
  EXPECT_NE(failure((folder_ / "f").string()).find("not readable"), std::string::npos);
}

TEST_F(MappedFileTest, ReadsAPipe) {
  const std::string path = (folder_ / "pipe").string();
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::string sent;
  for (int n = 0; n < 100000; ++n) sent += std::to_string(n) + ",";
  std::thread writer([&] { std::ofstream(path, std::ios::binary) << sent; });
  const MappedFile file(path);
  writer.join();
  EXPECT_EQ(file.bytes(), sent);
}

}  // namespace
}  // namespace evenkeel
