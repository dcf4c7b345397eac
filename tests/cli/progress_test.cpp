// In: a run's news. Out: plain lines where stderr is no terminal.
#include "cli/progress.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cli/status_line.h"

namespace evenkeel::cli {
namespace {

train::EpochProgress epoch(int number) {
  train::EpochProgress news;
  news.phase = "train";
  news.epoch = number;
  news.epochs = 50;
  news.loss = 1.5;
  news.seconds = 2;
  news.samples_per_second = 123456;
  news.recall = 0.25;
  news.best_figure = 0.25;
  news.best_epoch = number;
  news.patience = 10;
  return news;
}

std::string lines_of(bool quiet, int epochs) {
  ::testing::internal::CaptureStderr();
  {
    Progress progress(quiet, "bc");
    progress.on_message("a word");
    for (int i = 1; i <= epochs; ++i) {
      train::StepProgress step;
      step.phase = "train";
      progress.on_step(step);
      EXPECT_FALSE(progress.on_epoch(epoch(i)));
    }
    progress.finish();
  }
  return ::testing::internal::GetCapturedStderr();
}

TEST(Progress, PlainLinesAreThrottledButNeverLoseTheLastEpoch) {
  const std::string text = lines_of(false, 40);
  EXPECT_NE(text.find("bc: a word\n"), std::string::npos) << text;
  EXPECT_NE(text.find("bc: train epoch 1/50  loss 1.5000  123 k samples/s"), std::string::npos)
      << text;
  EXPECT_NE(text.find("patience 0/10"), std::string::npos) << text;
  EXPECT_NE(text.find("epoch 40/50"), std::string::npos) << text;
  EXPECT_NE(text.find("at most 20 s left"), std::string::npos) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << "no escapes outside a terminal";
}

TEST(Progress, WordsOfOthersAreEscapedAndTheFrameIsNot) {
  ::testing::internal::CaptureStderr();
  {
    Progress progress(false, "b\x1b[2Jc");
    progress.on_message("two\nlines");
    progress.on_epoch(epoch(1));
    StatusLine line;
    line.draw("a\x1b[31m\x9b");
    line.erase();
  }
  const std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("b\\x1b[2Jc: two\\nlines\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\r\x1b[2K"), std::string::npos) << "the line is drawn in place";
  EXPECT_NE(text.find("a\\x1b[31m\\x9b"), std::string::npos) << text;
  EXPECT_EQ(text.find("\x1b[2J"), std::string::npos);
}

TEST(Progress, QuietSaysNothing) {
  EXPECT_EQ(lines_of(true, 3), "");
}

}  // namespace
}  // namespace evenkeel::cli
