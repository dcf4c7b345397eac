// In: a training run and signals. Out: a checkpoint, and the same model as if nothing had happened.
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/run_binary.h"
#include "cli/tiny_log.h"

namespace evenkeel::testing {
namespace {

class Interrupt : public ::testing::Test {
 protected:
  void SetUp() override { write_text(folder_ / "log.csv", tiny_log(300, 90, 30)); }

  // Long enough to be caught in the middle, short enough to wait for.
  std::vector<std::string> words(const std::string& run, bool resume) {
    std::vector<std::string> words{"train",
                                   folder_ / "log.csv",
                                   "--out",
                                   folder_ / run,
                                   "--loss",
                                   "bc",
                                   "--epochs",
                                   "40",
                                   "--patience",
                                   "1000",
                                   "--dim",
                                   "32",
                                   "--negatives",
                                   "64",
                                   "--batch",
                                   "256",
                                   "--quiet",
                                   "--checkpoint-seconds",
                                   "0",
                                   "--extractor-epochs",
                                   "1"};
    if (resume) words.emplace_back("--resume");
    return words;
  }
  std::string model(const std::string& run) { return folder_ / (run + "/model.safetensors"); }
  std::size_t epochs_done(const std::string& run) {
    const std::string events = read_text(folder_ / (run + "/events.jsonl"));
    return static_cast<std::size_t>(std::count(events.begin(), events.end(), '\n'));
  }
  // Starts a run and sends the signal once `epochs` are done and a checkpoint is there.
  Finished interrupted(const std::string& run, bool resume, std::size_t epochs, int signal) {
    Running running(words(run, resume));
    EXPECT_TRUE(running.wait_until([&] {
      return epochs_done(run) >= epochs && fs::exists(folder_ / (run + "/checkpoint.safetensors"));
    })) << "the run ended before it could be interrupted";
    running.send(signal);
    return running.wait();
  }
  std::string expected_model() {
    const Finished whole = run_binary(words("whole", false));
    EXPECT_EQ(whole.exit_code, 0) << whole.err;
    return read_text(model("whole"));
  }

  TempFolder folder_;
};

TEST_F(Interrupt, CtrlCSavesACheckpointAndResumeEndsTheSame) {
  const Finished stopped = interrupted("run", false, 3, SIGINT);
  EXPECT_EQ(stopped.exit_code, 4) << stopped.err;
  EXPECT_TRUE(contains(stopped.err, "--resume")) << stopped.err;
  EXPECT_TRUE(fs::exists(folder_ / "run/checkpoint.safetensors"));
  EXPECT_FALSE(fs::exists(model("run"))) << "no model before the end";
  const Finished again = interrupted("run", true, epochs_done("run") + 2, SIGTERM);
  EXPECT_EQ(again.exit_code, 4) << again.err;
  const Finished resumed = run_binary(words("run", true));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_TRUE(read_text(model("run")) == expected_model()) << "resumed and whole models differ";
  EXPECT_EQ(epochs_done("run"), epochs_done("whole"));
}

TEST_F(Interrupt, SigkillAndResumeEndTheSame) {
  const Finished killed = interrupted("run", false, 5, SIGKILL);
  EXPECT_EQ(killed.exit_code, 128 + SIGKILL);
  const Finished resumed = run_binary(words("run", true));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_TRUE(read_text(model("run")) == expected_model()) << "resumed and whole models differ";
  EXPECT_EQ(epochs_done("run"), epochs_done("whole"));
}

TEST_F(Interrupt, ResumingAFinishedRunChangesNothing) {
  const std::string whole = expected_model();
  const Finished resumed = run_binary(words("whole", true));
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_TRUE(read_text(model("whole")) == whole);
  EXPECT_EQ(epochs_done("whole"), 40U);
}

TEST_F(Interrupt, ResumeWithOtherSettingsIsRefused) {
  ASSERT_EQ(interrupted("run", false, 2, SIGINT).exit_code, 4);
  std::vector<std::string> other = words("run", true);
  other.insert(other.end(), {"--lr", "0.5"});
  expect_error(run_binary(other), 2, {"lr"});
}

}  // namespace
}  // namespace evenkeel::testing
