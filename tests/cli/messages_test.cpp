// --quiet, --verbose, --log-file and --json. In: commands with them; out: messages where they were
// wanted and JSON that parses.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/run_binary.h"
#include "cli/tiny_log.h"

namespace evenkeel::testing {
namespace {

TEST(Messages, QuietTellsErrorsAlone) {
  TempFolder folder;
  write_text(folder / "log.csv", tiny_log(30, 18, 6));
  const Finished loud = run_binary({"stats", folder / "log.csv"});
  const Finished quiet = run_binary({"stats", folder / "log.csv", "--quiet"});
  EXPECT_EQ(quiet.exit_code, 0);
  EXPECT_NE(loud.err, "");
  EXPECT_EQ(quiet.err, "");
  EXPECT_EQ(quiet.out, loud.out);
  expect_error(run_binary({"stats", folder / "none.csv", "--quiet"}), 3, {"none.csv"});
}

TEST(Messages, ALogFileIsAddedTo) {
  TempFolder folder;
  write_text(folder / "log.csv", tiny_log(30, 18, 6));
  for (int i = 0; i < 2; ++i) {
    const Finished one = run_binary(
        {"stats", folder / "log.csv", "--quiet", "--verbose", "--log-file", folder / "messages"});
    EXPECT_EQ(one.exit_code, 0) << one.err;
    EXPECT_EQ(one.err, "");
  }
  expect_error(run_binary({"stats", folder / "none.csv", "--log-file", folder / "messages"}), 3,
               {"none.csv"});
  std::istringstream lines(read_text(folder / "messages"));
  int ends = 0, errors = 0;
  for (std::string line; std::getline(lines, line);) {
    ASSERT_GT(line.size(), 21U) << line;
    EXPECT_EQ(line[10], 'T') << line;
    EXPECT_EQ(line.substr(19, 2), "Z ") << line;
    ends += contains(line, "exit code 0") ? 1 : 0;
    errors += contains(line, "evenkeel: error: ") ? 1 : 0;
  }
  EXPECT_EQ(ends, 2);
  EXPECT_EQ(errors, 1);
  expect_error(run_binary({"list", "--log-file", folder / "no/such/folder"}), 2, {"--log-file"});
}

TEST(Messages, JsonOfEveryCommand) {
  TempFolder folder;
  const auto parsed = [](const std::vector<std::string>& words) {
    const Finished done = run_binary(words);
    EXPECT_EQ(done.exit_code, 0) << words[0] << ": " << done.err;
    const auto answer = nlohmann::json::parse(done.out, nullptr, false);
    EXPECT_TRUE(answer.is_object()) << words[0] << ": " << done.out;
    return answer;
  };
  const auto market = parsed({"synth", "-o", folder / "market", "--users", "120", "--items", "100",
                              "--interactions", "500", "--json"});
  EXPECT_GT(market["parts"]["train"], 0);
  write_text(folder / "log.csv", tiny_log(40, 24, 8));
  const auto cut = parsed({"split", folder / "log.csv", "-o", folder / "cut", "--protocol",
                           "random", "--k-core", "0", "--json"});
  EXPECT_EQ(cut["folder"], folder / "cut");
  const auto ready = parsed({"prepare", folder / "log.csv", "-o", folder / "ready", "--json"});
  EXPECT_EQ(ready["users"], 40);
  const auto result = parsed({"train", folder / "log.csv", "-o", folder / "run", "--epochs", "1",
                              "--dim", "8", "--json", "--quiet"});
  EXPECT_EQ(result["epochs"], 1);
  EXPECT_TRUE(result.contains("evaluations"));
  const auto files = parsed({"export", folder / "run", "-o", folder / "vectors.npz", "--json"});
  EXPECT_EQ(files["dim"], 8);
  const auto script = parsed({"completion", "bash", "--json"});
  EXPECT_EQ(script["shell"], "bash");
  EXPECT_TRUE(contains(script["script"], "complete "));
  const Finished help = run_binary({"demo", "--help"});
  EXPECT_TRUE(contains(help.out, "--json")) << help.out;
}

}  // namespace
}  // namespace evenkeel::testing
