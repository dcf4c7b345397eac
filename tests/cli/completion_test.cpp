// Completion. In: what somebody has typed; out: what the shell offers, asked of the shell itself.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "cli/run_binary.h"

namespace evenkeel::testing {
namespace {

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "no shell";
  std::array<char, 4096> block{};
  while (const std::size_t got = fread(block.data(), 1, block.size(), pipe)) {
    text.append(block.data(), got);
  }
  pclose(pipe);
  return text;
}

bool has(const char* shell) {
  return !output_of(std::string("command -v ") + shell).empty();
}

class Completion : public ::testing::Test {
 protected:
  std::string script(const std::string& shell) {
    const Finished made = run_binary({"completion", shell});
    EXPECT_EQ(made.exit_code, 0) << made.err;
    write_text(folder_ / shell, made.out);
    return folder_ / shell;
  }
  // What bash offers for the last of these words, blanks between.
  std::string offered(const std::string& words) {
    const std::string file = script("bash");
    return output_of("bash -c 'source " + file + "; COMP_WORDS=(" + words +
                     "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _evenkeel; echo " +
                     "\"${COMPREPLY[*]}\"'");
  }
  TempFolder folder_;
};

TEST_F(Completion, BashOffersCommandsOptionsAndValues) {
  if (!has("bash")) GTEST_SKIP() << "no bash here";
  EXPECT_EQ(offered("evenkeel tr"), "train\n");
  EXPECT_EQ(offered("evenkeel comp"), "compare completion\n");
  EXPECT_EQ(offered("evenkeel train --negat"), "--negatives --negative-weight\n");
  EXPECT_EQ(offered("evenkeel train --encoder l"), "lightgcn\n");
  EXPECT_EQ(offered("evenkeel train --out ru"), "\n") << "files are offered instead";
  EXPECT_TRUE(contains(offered("evenkeel recommend -"), "-k --k"))
      << offered("evenkeel recommend -");
}

TEST_F(Completion, EveryShellTakesItsScript) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string file = script(shell);
    const std::string text = read_text(file);
    for (const char* word : {"train", "recommend", "lightgcn", "log-file"}) {
      EXPECT_TRUE(contains(text, word)) << shell << ": " << word;
    }
    if (!has(shell)) continue;
    EXPECT_EQ(output_of(std::string(shell) + " -n " + file + " 2>&1"), "") << shell;
  }
}

TEST_F(Completion, AnotherShellIsUnknown) {
  expect_error(run_binary({"completion", "bish"}), 2, {"'bish'", "'bash'"});
  EXPECT_FALSE(contains(run_binary({"completion", "tcsh"}).err, "did you mean"));
  expect_error(run_binary({"completion", "powershell"}), 2,
               {"powershell", "known: bash, zsh, fish"});
}

}  // namespace
}  // namespace evenkeel::testing
