// Lists of ids. In: files as people and spreadsheets write them; out: the ids.
#include "data/id_list.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "scratch.h"

namespace evenkeel::data {
namespace {

using testing::expect_holds;
using testing::failure_of;
using testing::Scratch;
using Texts = std::vector<std::string>;

TEST(IdList, MarksLineEndsBlanksAndRepetitions) {
  const Scratch scratch;
  EXPECT_EQ(read_id_list(scratch.write("a", "\xef\xbb\xbfu1\r\n\r\n  u2\t\nu1\n#3\nu 4")),
            (Texts{"u1", "u2", "#3", "u 4"}));
  EXPECT_EQ(read_id_list(scratch.write("b", "u1\ru2\r")), (Texts{"u1", "u2"}));
  EXPECT_EQ(read_id_list(scratch.write("c", "\n \n")), Texts{});
  EXPECT_EQ(read_id_list(scratch.write("d", "")), Texts{});
}

TEST(IdList, MayBePacked) {
  const Scratch scratch;
  gzFile out = gzopen(scratch.path("a.gz").c_str(), "wb");
  gzputs(out, "u1\nu2\n");
  gzclose(out);
  EXPECT_EQ(read_id_list(scratch.path("a.gz")), (Texts{"u1", "u2"}));
}

TEST(IdList, WhatCannotBeAListIsRefused) {
  const Scratch scratch;
  const auto failure = [](const std::string& path) {
    return failure_of(ErrorKind::kData, [&] { read_id_list(path); });
  };
  expect_holds(failure(scratch.path("none")), {"none", "no such file"});
  expect_holds(failure(scratch.path()), {"is a folder"});
  ASSERT_EQ(::mkfifo(scratch.path("pipe").c_str(), 0600), 0);
  expect_holds(failure(scratch.path("pipe")), {"is a pipe"});
  expect_holds(failure(scratch.write("x.parquet", "PAR1xxxx")), {"Parquet"});
  expect_holds(failure("/dev/fd/999"), {"/dev/fd/999"});
}

// As the shell's <(command) hands it over.
TEST(IdList, AnOpenPipeIsRead) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "u1\nu2\n", 6), 6);
  ::close(ends[1]);
  EXPECT_EQ(read_id_list("/dev/fd/" + std::to_string(ends[0])), (Texts{"u1", "u2"}));
  ::close(ends[0]);
}

TEST(IdList, CommentsAreNoIds) {
  const Scratch scratch;
  EXPECT_EQ(read_id_list(scratch.write("a", "# c\nu1\n#\n#\tx\n#3\n")), (Texts{"u1", "#3"}));
}

}  // namespace
}  // namespace evenkeel::data
