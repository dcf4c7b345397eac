// In: commands whose output is one of their inputs, or a file of a run. Out: one sentence, and
// every byte as it was.
#include <gtest/gtest.h>

#include "cli/run_binary.h"
#include "cli/tiny_log.h"

namespace evenkeel::testing {
namespace {

TEST(OutputGuard, InputsAndRunsStayAsTheyAre) {
  TempFolder folder;
  const auto at = [&](const std::string& name) { return std::string(folder / name); };
  write_text(at("log.csv"), tiny_log(40, 24, 10));
  write_text(at("titles.csv"), "item,title\ni1,One\n");
  const Finished trained = run_binary({"train", at("log.csv"), "--out", at("run"), "--epochs", "1",
                                       "--dim", "8", "--negatives", "4", "--batch", "64"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  ASSERT_EQ(run_binary({"split", at("log.csv"), "--k-core", "0", "--out", at("parts")}).exit_code,
            0);
  ASSERT_EQ(run_binary({"prepare", at("log.csv"), "--out", at("ready")}).exit_code, 0);
  fs::create_symlink(at("log.csv"), at("link.txt"));
  const std::vector<std::string> kept{at("log.csv"),
                                      at("titles.csv"),
                                      at("run/config.toml"),
                                      at("run/model.safetensors"),
                                      at("run/result.json"),
                                      at("run/events.jsonl"),
                                      at("parts/train.txt"),
                                      at("parts/manifest.json"),
                                      at("ready/prepared.json")};
  std::vector<std::string> before;
  for (const std::string& file : kept) before.push_back(read_text(file));
  const std::vector<std::vector<std::string>> commands{
      {"export", at("run"), "--out", at("run/model.safetensors")},
      {"export", at("run"), "--format", "word2vec", "--out", at("run/events.jsonl")},
      {"report", at("run"), "--out", at("run/model.safetensors")},
      {"report", at("run"), "--out", at("run/config.toml")},
      {"report", at("run"), "--titles", at("titles.csv"), "--out", at("titles.csv")},
      {"stats", at("log.csv"), "--log-file", at("log.csv")},
      {"stats", at("log.csv"), "--log-file", at("link.txt")},
      {"stats", at("parts"), "--log-file", at("parts/train.txt")},
      {"recommend", at("run"), "--user", "u1", "--log-file", at("run/result.json")},
      {"synth", "--log", at("run/result.json")},
      {"split", at("log.csv"), "--out", folder / ""},
      {"split", at("log.csv"), "--out", at("log.csv")},
      {"prepare", at("ready"), "--out", at("ready")},
      {"prepare", at("ready"), "--out", at("x"), "--log-file", at("ready/prepared.json")},
  };
  for (const auto& command : commands) expect_error(run_binary(command), 2, {"name another"});
  for (std::size_t n = 0; n < kept.size(); ++n) EXPECT_EQ(read_text(kept[n]), before[n]) << kept[n];
  // What is only beside them may be written, again and again.
  for (int n = 0; n < 2; ++n) {
    const Finished page = run_binary({"report", at("run"), "--out", at("run/report.html"),
                                      "--log-file", at("run/messages.log")});
    EXPECT_EQ(page.exit_code, 0) << page.err;
    const Finished front =
        run_binary({"evaluate", at("run"), "--front", "--out", at("run/front"), "--quiet"});
    EXPECT_EQ(front.exit_code, 0) << front.err;
  }
}

TEST(OutputGuard, AFrontDoesNotReplaceTheDataItStandsBeside) {
  TempFolder folder;
  write_text(folder / "log.csv", tiny_log(40, 24, 10));
  const std::string before = read_text(folder / "log.csv");
  expect_error(run_binary({"evaluate", folder / "log.csv", "--front", "--out", folder / "log"}), 2,
               {"name another"});
  EXPECT_EQ(read_text(folder / "log.csv"), before);
}

}  // namespace
}  // namespace evenkeel::testing
