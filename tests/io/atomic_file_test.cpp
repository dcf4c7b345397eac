// In: good and bad places to write. Out: whole files, or the old file and one clear error.
#include "io/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.h"

namespace evenkeel::io {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              (std::string("evenkeel_atomic_") + std::to_string(::getpid()) + "_" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  static std::string error_of(const std::string& path, std::string_view bytes) {
    try {
      write_file_atomically(path, bytes);
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), 1);
      return error.what();
    }
    return "";
  }
  fs::path folder_;
};

TEST_F(AtomicFileTest, WritesAndReplaces) {
  write_file_atomically(path("a"), "first");
  write_file_atomically(path("a"), std::string(1'000'000, 'x'));
  EXPECT_EQ(read(path("a")), std::string(1'000'000, 'x'));
  EXPECT_EQ(files(), 1U);
}

TEST_F(AtomicFileTest, ManySmallAndLargeWritesKeepTheirOrder) {
  std::string expected;
  AtomicFile file(path("a"));
  for (int i = 0; i < 2000; ++i) {
    const std::string piece(static_cast<std::size_t>(i % 7 == 0 ? 3000 : i % 11),
                            static_cast<char>('a' + i % 26));
    expected += piece;
    file.write(piece);
  }
  const std::string large(700'000, 'L');
  file.write(large);
  file.write("end");
  expected += large + "end";
  file.commit();
  EXPECT_EQ(read(path("a")), expected);
}

TEST_F(AtomicFileTest, WithoutCommitTheOldFileStays) {
  write_file_atomically(path("a"), "old");
  {
    AtomicFile file(path("a"));
    file.write("new");
    EXPECT_EQ(files(), 2U);
  }
  EXPECT_EQ(read(path("a")), "old");
  EXPECT_EQ(files(), 1U);
}

TEST_F(AtomicFileTest, MissingFolderNamesPathReasonAndRemedy) {
  const std::string where = path("no/such/file");
  const std::string error = error_of(where, "x");
  EXPECT_NE(error.find(where), std::string::npos) << error;
  EXPECT_NE(error.find("No such file or directory"), std::string::npos) << error;
  EXPECT_NE(error.find("create its folder"), std::string::npos) << error;
}

TEST_F(AtomicFileTest, AFolderIsNotReplaced) {
  fs::create_directories(path("dir"));
  EXPECT_NE(error_of(path("dir"), "x").find("folder"), std::string::npos);
  EXPECT_TRUE(fs::is_directory(path("dir")));
}

TEST_F(AtomicFileTest, UnwritableFolder) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_NE(error_of(path("a"), "x").find("may write to"), std::string::npos);
  fs::permissions(folder_, fs::perms::owner_all);
}

TEST_F(AtomicFileTest, ALinkIsReplacedAndItsTargetLeftAlone) {
  write_file_atomically(path("real"), "old");
  fs::create_symlink(path("real"), path("link"));
  fs::create_symlink(path("nowhere"), path("dangling"));
  for (const char* name : {"link", "dangling"}) {
    write_file_atomically(path(name), "new");
    EXPECT_FALSE(fs::is_symlink(path(name)));
    EXPECT_EQ(read(path(name)), "new");
  }
  EXPECT_EQ(read(path("real")), "old");
  EXPECT_FALSE(fs::exists(path("nowhere")));
}

TEST_F(AtomicFileTest, ALinkTheUserNamedStaysALink) {
  write_file_atomically(path("real"), "old");
  fs::create_symlink(path("real"), path("link"));
  write_file_atomically(path("link"), "new", Links::kFollow);
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read(path("real")), "new");
}

TEST_F(AtomicFileTest, APipeIsReplacedAndNotWaitedFor) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  write_file_atomically(path("pipe"), "new");
  EXPECT_EQ(read(path("pipe")), "new");
}

TEST_F(AtomicFileTest, LinesAreAdded) {
  append_line(path("log"), "one");
  append_line(path("log"), "two");
  EXPECT_EQ(read(path("log")), "one\ntwo\n");
}

TEST_F(AtomicFileTest, LinesNeverGoThroughALinkOrAPipe) {
  write_file_atomically(path("real"), "old");
  fs::create_symlink(path("real"), path("link"));
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  for (const char* name : {"link", "pipe"}) {
    append_line(path(name), "one");
    append_line(path(name), "two");
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(path(name))));
    EXPECT_EQ(read(path(name)), "one\ntwo\n");
  }
  EXPECT_EQ(read(path("real")), "old");
  EXPECT_THROW(append_line(path("no/log"), "one"), Error);
  EXPECT_THROW(append_line(folder_.string(), "one"), Error);
}

TEST_F(AtomicFileTest, ADeviceIsWrittenButNeverRenamed) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const std::string error = error_of("/dev/full", "x");
  EXPECT_NE(error.find("No space left"), std::string::npos) << error;
  EXPECT_NE(error.find("free space"), std::string::npos) << error;
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

// A file size limit in a child process stands for a disk that fills up half way.
TEST_F(AtomicFileTest, FullDiskKeepsTheOldFile) {
  write_file_atomically(path("a"), "old");
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100'000, 100'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      write_file_atomically(path("a"), std::string(2'000'000, 'x'));
    } catch (const Error& error) {
      ::_exit(std::string(error.what()).find("free space") != std::string::npos ? 7 : 8);
    }
    ::_exit(9);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_EQ(read(path("a")), "old");
  EXPECT_EQ(files(), 1U);
}

}  // namespace
}  // namespace evenkeel::io
