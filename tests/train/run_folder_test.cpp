// In: run folders, finished and not. Out: nothing changes before begin(), and one writer at a time.
#include "train/run_folder.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "data/scratch.h"

namespace evenkeel::testing {
namespace {

namespace fs = std::filesystem;
using namespace train::run_files;

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_finished(const Scratch& scratch) {
  for (const std::string_view name : {kModel, kConfig, kEvents, kCheckpoint, kResult}) {
    scratch.write("run/" + std::string(name), "old");
  }
}

TEST(RunFolder, OneWriterAtATime) {
  const Scratch scratch;
  const train::RunFolder first(scratch.path("run"), {});
  EXPECT_THROW(train::RunFolder(scratch.path("run"), train::FolderUse{true, false}), Error);
  EXPECT_NO_THROW(train::RunFolder(scratch.path("other"), {}));
}

TEST(RunFolder, AFolderThatStayedEmptyGoesAway) {
  const Scratch scratch;
  { const train::RunFolder folder(scratch.path("a/b/run"), {}); }
  EXPECT_FALSE(fs::exists(scratch.path("a")));
  fs::create_directories(scratch.path("mine"));
  { const train::RunFolder folder(scratch.path("mine"), {}); }
  EXPECT_TRUE(fs::exists(scratch.path("mine"))) << "it was there before";
}

TEST(RunFolder, AFinishedRunIsRefusedUnasked) {
  const Scratch scratch;
  write_finished(scratch);
  EXPECT_THROW(train::RunFolder(scratch.path("run"), {}), Error);
}

TEST(RunFolder, AnOverwrittenRunStaysWholeUntilTheNewOneIs) {
  const Scratch scratch;
  write_finished(scratch);
  const auto write_new = [&](train::RunFolder& folder) {
    folder.begin(true, "new");
    for (const std::string_view name : {kModel, kEvents, kResult}) {
      std::ofstream(folder.file(name)) << "new";
    }
  };
  {
    train::RunFolder folder(scratch.path("run"), {false, true});
    folder.begin(true, "new");  // and then the power goes
  }
  for (const std::string_view name : {kModel, kConfig, kEvents, kCheckpoint, kResult}) {
    EXPECT_EQ(text_of(train::run_file(scratch.path("run"), name)), "old") << name;
  }
  EXPECT_EQ(train::training_place(scratch.path("run")),
            train::run_file(scratch.path("run"), kReplacement));
  {
    train::RunFolder folder(scratch.path("run"), {false, true});
    write_new(folder);
    folder.finish();
  }
  for (const std::string_view name : {kModel, kConfig, kEvents, kResult}) {
    EXPECT_EQ(text_of(train::run_file(scratch.path("run"), name)), "new") << name;
  }
  EXPECT_FALSE(train::has_run_file(scratch.path("run"), kCheckpoint)) << "that of the old run";
  EXPECT_FALSE(train::has_run_file(scratch.path("run"), kReplacement));
}

TEST(RunFolder, AKillWhileTheNewRunMovesInIsMadeGood) {
  const Scratch scratch;
  write_finished(scratch);
  {
    train::RunFolder folder(scratch.path("run"), {false, true});
    folder.begin(true, "new");
    for (const std::string_view name : {kModel, kCheckpoint, kEvents, kResult}) {
      std::ofstream(folder.file(name)) << "new";
    }
  }
  // Half of the way: the old result is gone, checkpoint and model have moved.
  const std::string run = scratch.path("run"), next = train::run_file(run, kReplacement);
  fs::remove(train::run_file(run, kResult));
  for (const std::string_view name : {kCheckpoint, kModel}) {
    fs::rename(train::run_file(next, name), train::run_file(run, name));
  }
  { const train::RunFolder folder(run, {true, false}); }
  for (const std::string_view name : {kModel, kConfig, kEvents, kCheckpoint, kResult}) {
    EXPECT_EQ(text_of(train::run_file(run, name)), "new") << name;
  }
  EXPECT_FALSE(train::has_run_file(run, kReplacement));
}

TEST(RunFolder, AFailedRunLeavesAReasonAndNoConfiguration) {
  const Scratch scratch;
  {
    train::RunFolder folder(scratch.path("run"), {});
    folder.begin(true, "settings");
    folder.fail("{}");
  }
  EXPECT_TRUE(train::has_run_file(scratch.path("run"), kFailure));
  EXPECT_FALSE(train::has_run_file(scratch.path("run"), kConfig));
  write_finished(scratch);
  {
    train::RunFolder folder(scratch.path("run"), {false, true});
    folder.begin(true, "settings");
    folder.fail("{}");
  }
  EXPECT_EQ(text_of(train::run_file(scratch.path("run"), kConfig)), "old") << "the old run stays";
  EXPECT_FALSE(train::has_run_file(scratch.path("run"), kReplacement));
}

TEST(RunFolder, ASearchLeavesItsTrialsAloneAndOtherRunsBe) {
  const Scratch scratch;
  write_finished(scratch);
  scratch.write("run/auto/model.safetensors", "of a run that is called auto");
  {
    train::RunFolder folder(scratch.path("run"), {false, true});
    folder.begin_search(true);
    std::ofstream(folder.file(kPending)) << "{}";
    folder.drop_search();
  }
  EXPECT_FALSE(train::has_run_file(scratch.path("run"), kReplacement)) << "as if never begun";
  {
    train::RunFolder folder(scratch.path("run"), {false, true});
    folder.begin_search(true);
    for (const std::string_view name : {kPending, kTrials})
      std::ofstream(folder.file(name)) << "{}";
    folder.begin(true, "new");
    EXPECT_TRUE(folder.has(kPending)) << "the training begins, the search stays";
    std::ofstream(folder.file(kResult)) << "new";
    folder.finish();
  }
  EXPECT_EQ(text_of(train::run_file(scratch.path("run"), kConfig)), "new");
  EXPECT_TRUE(train::has_run_file(scratch.path("run"), kTrials));
  EXPECT_FALSE(train::has_run_file(scratch.path("run"), kPending));
  { train::RunFolder(scratch.path("run"), {false, true}).begin(true, "plain"); }
  EXPECT_TRUE(train::has_run_file(scratch.path("run"), kTrials)) << "of the run that is replaced";
  EXPECT_TRUE(fs::exists(scratch.path("run/auto/model.safetensors")));
}

}  // namespace
}  // namespace evenkeel::testing
