// In: a table and texts. Out: bytes as numpy lays them out; python3 reads them where it is there.
#include "io/npy.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.h"

namespace evenkeel::io {
namespace {

namespace fs = std::filesystem;

std::string temporary(const std::string& name) {
  return (fs::temp_directory_path() / ("evenkeel_npy_" + std::to_string(::getpid()) + name))
      .string();
}

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

Matrix small_table() {
  Matrix table(2, 3);
  for (std::size_t i = 0; i < 6; ++i) table.row(i / 3)[i % 3] = static_cast<float>(i) + 0.5F;
  return table;
}

TEST(Npy, HeaderAndRows) {
  const std::string path = temporary(".npy");
  write_npy(path, small_table());
  const std::string bytes = read(path);
  fs::remove(path);
  ASSERT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  const std::size_t start =
      10 + static_cast<unsigned char>(bytes[8]) + 256U * static_cast<unsigned char>(bytes[9]);
  EXPECT_EQ(start % 64, 0U);
  EXPECT_EQ(bytes[start - 1], '\n');
  const std::string header = bytes.substr(10, start - 10);
  EXPECT_NE(header.find("'descr': '<f4'"), std::string::npos);
  EXPECT_NE(header.find("'shape': (2, 3)"), std::string::npos);
  ASSERT_EQ(bytes.size(), start + 24);
  float last = 0;
  std::memcpy(&last, bytes.data() + start + 20, 4);
  EXPECT_EQ(last, 5.5F);
}

TEST(Npy, WholeNumbers) {
  const std::string path = temporary(".npy");
  const std::vector<std::uint32_t> numbers{7, 8, 4000000000U};
  write_npy(path, std::span<const std::uint32_t>(numbers));
  const std::string bytes = read(path);
  fs::remove(path);
  EXPECT_NE(bytes.find("'descr': '<u4'"), std::string::npos);
  EXPECT_NE(bytes.find("'shape': (3,)"), std::string::npos);
  ASSERT_GE(bytes.size(), 12U);
  EXPECT_EQ(std::memcmp(bytes.data() + bytes.size() - 12, numbers.data(), 12), 0);
}

// Python's zipfile checks structure and CRC; the texts are decoded from UTF-32 by hand, so that
// numpy is not needed.
TEST(Npz, PythonReadsTheArchive) {
  if (std::system("python3 -c 'import zipfile' > /dev/null 2>&1") != 0) {
    GTEST_SKIP() << "no python3";
  }
  const std::string path = temporary(".npz");
  const std::string script = temporary(".py");
  const Matrix table = small_table();
  const std::vector<std::string> ids{"a", "größe", "\xff!", "日本", "\xf0\x9f\x98\x80", ""};
  NpzWriter writer;
  writer.add("item_vectors", table);
  writer.add_texts("item_ids", ids.size(), [&](std::size_t i) { return std::string_view(ids[i]); });
  writer.write(path);
  std::ofstream(script) << R"(import zipfile, struct, sys
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
assert z.namelist() == ["item_vectors.npy", "item_ids.npy"]
def split(b):
    n = struct.unpack("<H", b[8:10])[0]
    return eval(b[10:10 + n].decode()), b[10 + n:]
h, d = split(z.read("item_vectors.npy"))
assert h["shape"] == (2, 3) and struct.unpack("<6f", d)[4] == 4.5
h, d = split(z.read("item_ids.npy"))
assert h["descr"] == "<U5" and h["shape"] == (6,), h
texts = [d[i:i + 20].decode("utf-32-le").rstrip("\0") for i in range(0, 120, 20)]
assert texts == ["a", "gr\u00f6\u00dfe", "\ufffd!", "\u65e5\u672c", "\U0001f600", ""], texts
)";
  EXPECT_EQ(std::system(("python3 " + script + " " + path).c_str()), 0);
  fs::remove(path);
  fs::remove(script);
}

TEST(Npz, OneVeryLongIdAmongManyIsRefused) {
  const std::string longest(1'000'000, 'x');
  NpzWriter writer;
  EXPECT_THROW(writer.add_texts("ids", 1'000,
                                [&](std::size_t i) {
                                  return i == 0 ? std::string_view(longest) : std::string_view("a");
                                }),
               Error);
}

}  // namespace
}  // namespace evenkeel::io
