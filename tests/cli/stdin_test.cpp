// DATA from the standard input. In: a log that is piped; out: what the same file would give.
#include <gtest/gtest.h>

#include "cli/run_binary.h"
#include "cli/tiny_log.h"

namespace evenkeel::testing {
namespace {

TEST(StandardInput, GivesTheModelOfTheFile) {
  TempFolder folder;
  write_text(folder / "stdin.csv", tiny_log(30, 18, 6));
  const auto train = [&](const std::string& data, const std::string& run) {
    return run_with_input({"train", data, "-o", folder / run, "--epochs", "2", "--dim", "8"},
                          folder / "stdin.csv");
  };
  const Finished piped = train("-", "piped");
  ASSERT_EQ(piped.exit_code, 0) << piped.err;
  ASSERT_EQ(train(folder / "stdin.csv", "file").exit_code, 0);
  const auto lists = [&](const std::string& run) {
    return run_binary({"recommend", folder / run, "--user", "u3", "--json"}).out;
  };
  EXPECT_EQ(lists("piped"), lists("file"));
  EXPECT_TRUE(contains(read_text(folder / "piped/result.json"), "\"data\": \"-\""));
  const Finished evaluated = run_binary({"evaluate", folder / "piped", "--json"});
  EXPECT_EQ(evaluated.exit_code, 0) << evaluated.err;
}

TEST(StandardInput, OtherCommandsTakeIt) {
  TempFolder folder;
  write_text(folder / "log", "{\"user\":\"a\",\"item\":1}\n{\"user\":\"b\",\"item\":1}\n");
  const Finished stats = run_with_input({"stats", "-", "--json"}, folder / "log");
  EXPECT_EQ(stats.exit_code, 0) << stats.err;
  EXPECT_TRUE(contains(stats.out, "\"stdin\"")) << stats.out;
  const Finished named = run_with_input({"stats", "/dev/stdin"}, folder / "log");
  EXPECT_EQ(named.exit_code, 0) << named.err;
  const Finished cut = run_with_input(
      {"split", "-", "-o", folder / "cut", "--protocol", "none", "--k-core", "0"}, folder / "log");
  EXPECT_EQ(cut.exit_code, 0) << cut.err;
  EXPECT_TRUE(contains(read_text(folder / "cut/manifest.json"), "stdin"));
  expect_error(run_binary({"stats", "-"}), 3, {"the standard input", "empty"});
  write_text(folder / "binary", std::string("PAR1\0\1\2", 7));
  expect_error(run_with_input({"stats", "-"}, folder / "binary"), 3,
               {"the standard input", "Parquet"});
}

TEST(StandardInput, IsNotSearchedTwice) {
  TempFolder folder;
  write_text(folder / "log", tiny_log(30, 18, 6));
  expect_error(run_with_input({"train", "-", "--auto", "--out", folder / "run"}, folder / "log"), 2,
               {"write it to a file"});
}

}  // namespace
}  // namespace evenkeel::testing
