// In: files and what only looks like one. Out: bytes, or one sentence at once.
#include "base/regular_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace evenkeel {
namespace {

namespace fs = std::filesystem;

class RegularFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              (std::string("evenkeel_regular_") + std::to_string(::getpid()) + "_" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string error_of(const std::string& path, std::uint64_t most = kMostRecordBytes) {
    try {
      read_regular_file(path, most);
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), 3);
      EXPECT_NE(std::string(error.what()).find(path), std::string::npos);
      return error.what();
    }
    return "";
  }
  fs::path folder_;
};

TEST_F(RegularFile, GivesEveryByte) {
  const std::string bytes = std::string("a\0b\r\n", 5) + std::string(100'000, 'x');
  std::ofstream(path("a"), std::ios::binary) << bytes;
  EXPECT_EQ(read_regular_file(path("a")), bytes);
  std::ofstream(path("empty")).flush();
  EXPECT_EQ(read_regular_file(path("empty")), "");
  if (fs::exists("/proc/self/status")) {  // says it has 0 bytes
    EXPECT_NE(read_regular_file("/proc/self/status").find("Pid"), std::string::npos);
  }
}

TEST_F(RegularFile, APipeIsRefusedAndNotWaitedFor) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_NE(error_of(path("pipe")).find("no regular file"), std::string::npos);
  fs::create_symlink(path("pipe"), path("link"));
  EXPECT_NE(error_of(path("link")).find("no regular file"), std::string::npos);
}

TEST_F(RegularFile, WhatCannotBeReadSaysWhy) {
  EXPECT_NE(error_of(path("none")).find("No such file"), std::string::npos);
  EXPECT_NE(error_of(folder_.string()).find("is a folder"), std::string::npos);
  EXPECT_NE(error_of("/dev/zero").find("no regular file"), std::string::npos);
}

TEST_F(RegularFile, ALargeFileIsRefusedBeforeItIsRead) {
  std::ofstream(path("a")) << "12345678";
  EXPECT_EQ(read_regular_file(path("a"), 8), "12345678");
  EXPECT_NE(error_of(path("a"), 7).find("more than 7 bytes"), std::string::npos);
  std::ofstream(path("huge")).flush();
  fs::resize_file(path("huge"), std::uintmax_t{1} << 40);  // a hole: no byte of it is on the disk
  EXPECT_NE(error_of(path("huge")).find("more than"), std::string::npos);
}

}  // namespace
}  // namespace evenkeel
