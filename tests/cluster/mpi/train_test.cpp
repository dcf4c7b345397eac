// Training over several processes, as a user launches it: the same bytes as one process makes, and
// an end for all ranks when one meets trouble. EVENKEEL_LAUNCHER is mpirun.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "cli/run_binary.h"
#include "cli/tiny_log.h"

namespace evenkeel::testing {
namespace {

using Words = std::vector<std::string>;

Words operator+(Words left, const Words& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

// Open MPI's mpirun; 1,600 users make four blocks of 512, so that up to four ranks own some.
class Mpi : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(EVENKEEL_LAUNCHER)) GTEST_SKIP() << "no mpirun: the tests over MPI are skipped";
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    write_text(folder_ / "log.csv", tiny_log(1600, 150, 10));
  }
  static Words launch(int ranks, const Words& words) {
    return Words{EVENKEEL_LAUNCHER, "--oversubscribe", "-n", std::to_string(ranks)} + words;
  }
  Words train(const std::string& run, const Words& options) const {
    return Words{"train",        folder_ / "log.csv",
                 "--out",        folder_ / run,
                 "--dim",        "16",
                 "--negatives",  "16",
                 "--batch",      "512",
                 "--epochs",     "3",
                 "--eval-every", "1",
                 "--threads",    "1"} +
           options;
  }
  Finished train_alone(const std::string& run, const Words& options) const {
    return run_binary(launch(1, Words{EVENKEEL_ALONE} + train(run, options)));
  }
  Finished train_on(int ranks, const std::string& run, const Words& options) const {
    return run_binary(launch(ranks, Words{EVENKEEL_MPI} + train(run, options)));
  }
  std::string model(const std::string& run) const {
    return read_text(folder_ / (run + "/model.safetensors"));
  }
  // What must not depend on how many ranks there were.
  nlohmann::json figures(const std::string& run) const {
    const auto result = nlohmann::json::parse(read_text(folder_ / (run + "/result.json")));
    nlohmann::json kept;
    for (const char* name : {"evaluations", "groups", "best_epoch", "epochs", "chosen", "dial"}) {
      kept[name] = result.value(name, nlohmann::json());
    }
    return kept;
  }
  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
      ++found;
    }
    return found;
  }
  // A command that all ranks refuse: one sentence and its exit code.
  static void expect_refused(const Finished& refused, int exit_code, const std::string& part) {
    EXPECT_EQ(refused.exit_code, exit_code) << refused.err;
    EXPECT_EQ(count(refused.err, "evenkeel: error: "), 1U) << refused.err;
    EXPECT_TRUE(contains(refused.err, part)) << refused.err;
  }

  TempFolder folder_;
};

struct Method {
  std::string name;
  Words options;
};

class MpiMethod : public Mpi, public ::testing::WithParamInterface<Method> {};

TEST_P(MpiMethod, AnyNumberOfRanksMakesTheModelOfOneProcess) {
  const Words& options = GetParam().options;
  const Finished one = train_alone("alone", options);
  ASSERT_EQ(one.exit_code, 0) << one.err;
  ASSERT_FALSE(model("alone").empty());
  for (const int ranks : {1, 2, 3, 5}) {
    const std::string run = "ranks" + std::to_string(ranks);
    const Finished many = train_on(ranks, run, options);
    ASSERT_EQ(many.exit_code, 0) << many.err;
    EXPECT_TRUE(model(run) == model("alone")) << ranks << " ranks make another model";
    EXPECT_EQ(figures(run), figures("alone")) << ranks << " ranks";
    EXPECT_EQ(count(many.err, "the run is in"), 1U) << "one rank speaks: " << many.err;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Methods, MpiMethod,
    ::testing::Values(Method{"MfBcOwn", {"--loss", "bc"}},
                      Method{"MfBcShared", {"--loss", "bc", "--shared-negatives"}},
                      Method{"MfBpr", {"--loss", "bpr", "--negatives", "1", "--threads", "2"}},
                      Method{"MfSoftmaxInBatch", {"--loss", "softmax", "--negatives", "in-batch"}},
                      Method{"MfSlAtK", {"--loss", "sl-at-k"}},
                      Method{"MfCclAll", {"--loss", "ccl", "--negatives", "all"}},
                      Method{"LightGcnBcInBatch",
                             {"--encoder", "lightgcn", "--loss", "bc", "--negatives", "in-batch"}},
                      Method{"LightGcnHalfWidth",
                             {"--encoder", "lightgcn", "--half-width", "--layers", "3"}},
                      Method{"Refit", {"--refit", "--goal", "balanced"}}),
    [](const auto& info) { return info.param.name; });

TEST_F(Mpi, AStoppedRunGoesOnWithAnyOtherNumberOfRanks) {
  for (const Words& method :
       {Words{"--loss", "bc"}, Words{"--loss", "softmax", "--shared-negatives"},
        Words{"--encoder", "lightgcn", "--negatives", "in-batch"}}) {
    const std::string name = method[1];
    ASSERT_EQ(train_alone(name + "whole", method).exit_code, 0);
    const auto epochs = [&](const std::string& n) { return method + Words{"--epochs", n}; };
    const auto resumed = [&](const std::string& n) { return epochs(n) + Words{"--resume"}; };
    ASSERT_EQ(train_on(3, name, epochs("1")).exit_code, 0);
    const Finished second = train_on(2, name, resumed("2"));
    ASSERT_EQ(second.exit_code, 0) << second.err;
    EXPECT_TRUE(contains(second.err, "going on in epoch 2")) << second.err;
    const Finished third = train_alone(name, resumed("3"));
    ASSERT_EQ(third.exit_code, 0) << third.err;
    EXPECT_TRUE(model(name) == model(name + "whole")) << name << ": 3, 2, 1 ranks";
    ASSERT_EQ(train_alone(name + "up", epochs("2")).exit_code, 0);
    ASSERT_EQ(train_on(5, name + "up", resumed("3")).exit_code, 0);
    EXPECT_TRUE(model(name + "up") == model(name + "whole")) << name << ": 1, then 5 ranks";
  }
}

// Yesterday's rows, and new ones folded in from them.
TEST_F(Mpi, AWarmStartIsThatOfOneProcess) {
  ASSERT_EQ(train_alone("before", {"--loss", "bc"}).exit_code, 0);
  write_text(folder_ / "log.csv", tiny_log(1700, 210, 11));
  const Words warm{"--loss", "bc", "--shared-negatives", "--from", folder_ / "before"};
  ASSERT_EQ(train_alone("alone", warm).exit_code, 0);
  for (const int ranks : {2, 3}) {
    const Finished many = train_on(ranks, "ranks", warm + Words{"--overwrite"});
    ASSERT_EQ(many.exit_code, 0) << many.err;
    EXPECT_TRUE(model("ranks") == model("alone")) << ranks;
  }
}

class MpiMemory : public Mpi {
 protected:
  // Peak memory of two ranks beside that of one process.
  double share_of_two(const Words& method) const {
    const Words wide =
        method +
        Words{"--dim", "256", "--epochs", "1", "--evaluation-users", "100", "--validation-users",
              "100"};
    EXPECT_EQ(train_alone("alone", wide).exit_code, 0);
    EXPECT_EQ(train_on(2, "ranks", wide).exit_code, 0);
    EXPECT_TRUE(model("ranks") == model("alone"));
    const auto peak = [&](const std::string& run) {
      const auto result = nlohmann::json::parse(read_text(folder_ / (run + "/result.json")));
      return result.at("peak_memory_bytes").get<double>();
    };
    return peak("ranks") / peak("alone");
  }
};

TEST_F(MpiMemory, ARankHoldsItsOwnUsersOnly) {
  write_text(folder_ / "log.csv", tiny_log(60000, 150, 5));  // a table of users has 61 MB
  EXPECT_LT(share_of_two({"--loss", "bpr", "--negatives", "1"}), 0.7);
}

// Vectors of all items, but moments and best epoch of its own alone: 2.5 tables instead of 4, where
// all items in every memory would make 3.5. Nothing is held out: an evaluation packs all items.
TEST_F(MpiMemory, ARankHoldsMomentsOfItsOwnItemsOnly) {
  write_text(folder_ / "log.csv", tiny_log(3000, 150000, 100));  // a table of items has some 90 MB
  EXPECT_LT(share_of_two({"--loss", "bc", "--shared-negatives", "--split", "none"}), 0.8);
}

TEST_F(Mpi, WhatAllRanksRefuseIsSaidOnce) {
  expect_refused(train_on(2, "run", {"--lr", "-1"}), 2, "lr");
  expect_refused(train_on(2, "run", {"--loss", "cause"}), 2, "evenkeel train");
  expect_refused(train_on(2, "run", {"--auto"}), 2, "--auto");
  EXPECT_FALSE(fs::exists(folder_ / "run"));
  ASSERT_EQ(train_on(2, "run", {}).exit_code, 0);
  expect_refused(train_on(2, "run", {}), 2, "finished run");
}

TEST_F(Mpi, RanksThatDifferAreRefused) {
  const Words first = Words{"-n", "1", EVENKEEL_MPI} + train("run", {"--lr", "0.01"});
  const Words other = Words{"-n", "1", EVENKEEL_MPI} + train("run", {"--lr", "0.02"});
  expect_refused(
      run_binary(Words{EVENKEEL_LAUNCHER, "--oversubscribe"} + first + Words{":"} + other), 2,
      "--lr is");
  write_text(folder_ / "other.csv", tiny_log(1600, 150, 9));
  Words data = first;
  data[4] = folder_ / "other.csv";
  expect_refused(
      run_binary(Words{EVENKEEL_LAUNCHER, "--oversubscribe"} + first + Words{":"} + data), 2,
      "the data's fingerprint");
  data[4] = folder_ / "missing.csv";
  expect_refused(
      run_binary(Words{EVENKEEL_LAUNCHER, "--oversubscribe"} + first + Words{":"} + data), 3,
      "missing.csv");
  EXPECT_FALSE(fs::exists(folder_ / "run"));
}

// Processes of the launcher that run evenkeel-mpi.
std::vector<pid_t> ranks_of(const std::string& run) {
  std::vector<pid_t> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::string words = read_text("/proc/" + name + "/cmdline");
    if (words.starts_with(EVENKEEL_MPI) && contains(words, run)) found.push_back(std::stoi(name));
  }
  return found;
}

class MpiTrouble : public Mpi {
 protected:
  // Long enough to be caught in the middle.
  Words long_run() const {
    return {"--epochs", "40", "--patience", "1000", "--quiet", "--checkpoint-seconds", "0"};
  }
  std::size_t epochs_done() const { return count(read_text(folder_ / "run/events.jsonl"), "\n"); }
  // Runs `trouble` once some more epochs are done.
  template <typename Trouble>
  Finished troubled(int ranks, std::size_t epochs, const Words& more, Trouble trouble,
                    const std::string& launcher = EVENKEEL_LAUNCHER) {
    const std::size_t until = epochs_done() + epochs;
    Words words = launch(ranks, Words{EVENKEEL_MPI} + train("run", long_run() + more));
    words.front() = launcher;
    Running running(words);
    EXPECT_TRUE(running.wait_until([&] {
      return epochs_done() >= until && fs::exists(folder_ / "run/checkpoint.safetensors");
    })) << running.err();
    trouble(running);
    return running.wait();
  }
  void expect_whole_model(int ranks) {
    const Finished resumed = train_on(ranks, "run", long_run() + Words{"--resume"});
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    ASSERT_EQ(train_alone("whole", long_run()).exit_code, 0);
    EXPECT_TRUE(model("run") == model("whole"));
  }
};

TEST_F(MpiTrouble, AKilledRankEndsAllAndTheLastCheckpointIsGood) {
  for (int ranks = 2; ranks <= 3; ++ranks) {
    const Words more = ranks == 2 ? Words{} : Words{"--resume"};
    const Finished killed = troubled(ranks, 3, more, [&](Running&) {
      const auto found = ranks_of(folder_ / "run");
      ASSERT_EQ(found.size(), static_cast<std::size_t>(ranks));
      kill(found.back(), SIGKILL);
    });
    EXPECT_NE(killed.exit_code, 0);
    EXPECT_FALSE(fs::exists(folder_ / "run/result.json"));
  }
  expect_whole_model(1);
}

// Anywhere: while ranks start, read, compute, wait for each other, or write.
TEST_F(MpiTrouble, KilledAtFiveRandomMomentsTheRunGoesOnWithOtherRanks) {
  std::random_device seed;
  for (const int ranks : {3, 2, 5, 2, 4}) {
    const auto milliseconds = std::chrono::milliseconds(200 + seed() % 2800);
    const auto victim = seed() % static_cast<unsigned>(ranks);
    SCOPED_TRACE(fmt::format("rank {} of {} after {}", victim, ranks, milliseconds.count()));
    Running running(
        launch(ranks, Words{EVENKEEL_MPI} + train("run", long_run() + Words{"--resume"})));
    std::this_thread::sleep_for(milliseconds);
    const auto found = ranks_of(folder_ / "run");
    if (victim < found.size()) kill(found[victim], SIGKILL);
    const Finished killed = running.wait();
    // The other way round is possible: killed on its way out, when the first rank had written all.
    EXPECT_TRUE(killed.exit_code != 0 || fs::exists(folder_ / "run/result.json")) << killed.err;
  }
  expect_whole_model(3);
}

// mpirun hands SIGUSR1 on. On Ctrl-C it lets its processes save, if they are quick, but says 1.
TEST_F(MpiTrouble, SigusrToTheLauncherSavesAndExitsWith4) {
  const Finished stopped = troubled(2, 3, {}, [](Running& running) { running.send(SIGUSR1); });
  EXPECT_EQ(stopped.exit_code, 4) << stopped.err;
  EXPECT_TRUE(contains(stopped.err, "--resume goes on")) << stopped.err;
  expect_whole_model(3);
}

TEST_F(MpiTrouble, AfterCtrlCOnTheLauncherTheRunGoesOn) {
  const Finished stopped = troubled(2, 3, {}, [](Running& running) { running.send(SIGINT); });
  EXPECT_NE(stopped.exit_code, 0);
  expect_whole_model(2);
}

TEST_F(MpiTrouble, CtrlCOnTheLauncherThatGoesWithItSavesAndExitsWith4) {
  setenv("EVENKEEL_MPIRUN", EVENKEEL_LAUNCHER, 1);
  for (const int asked : {SIGINT, SIGTERM}) {
    const Words more = asked == SIGINT ? Words{} : Words{"--resume"};
    const Finished stopped = troubled(
        2, 3, more, [&](Running& running) { running.send(asked); }, EVENKEEL_MPIRUN);
    EXPECT_EQ(stopped.exit_code, 4) << stopped.err;
    EXPECT_TRUE(contains(stopped.err, "--resume goes on")) << stopped.err;
  }
  expect_whole_model(3);
}

// A signal to one rank, as a scheduler may send it, is everybody's.
TEST_F(MpiTrouble, ASignalToOneRankStopsAllAfterTheSameStep) {
  const Finished stopped = troubled(2, 3, {}, [&](Running&) {
    const auto found = ranks_of(folder_ / "run");
    ASSERT_FALSE(found.empty());
    kill(found.back(), SIGTERM);
  });
  EXPECT_EQ(stopped.exit_code, 4) << stopped.err;
  EXPECT_EQ(count(stopped.err, "the checkpoint is"), 1U) << stopped.err;
  expect_whole_model(1);
}

}  // namespace
}  // namespace evenkeel::testing
