// Mapped files. In: paths good and bad; out: bytes or a sentence.
#include "io/mapped_file.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"

namespace evenkeel::io {
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

// Nobody writes to the pipe: opening it the plain way would wait for ever.
TEST_F(MappedFileTest, PipesDevicesAndSocketsAreRefused) {
  const std::string pipe = (folder_ / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_NE(failure(pipe).find("is a pipe, not a file"), std::string::npos) << failure(pipe);
  EXPECT_NE(failure("/dev/null").find("is a device"), std::string::npos);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = (folder_ / "socket").string();
  ASSERT_LT(path.size(), sizeof(address.sun_path));
  path.copy(address.sun_path, path.size());
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  EXPECT_NE(failure(path).find("is a socket"), std::string::npos) << failure(path);
  ::close(socket);
}

}  // namespace
}  // namespace evenkeel::io
