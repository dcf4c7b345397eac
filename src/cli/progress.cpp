// In: steps (thousands a second) and epochs. Out: ten redraws a second, or a line every few
// seconds.
#include "cli/progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/console.h"
#include "cli/table.h"

namespace evenkeel::cli {
namespace {

constexpr auto kRedraw = std::chrono::milliseconds(100);
constexpr auto kPlainLine = std::chrono::seconds(2);
constexpr auto kEvaluationLine = std::chrono::seconds(10);
constexpr int kBarCells = 16;

std::string rate_text(double per_second) {
  if (per_second >= 1e6) return fmt::format("{:.2f} M samples/s", per_second / 1e6);
  if (per_second >= 1e3) return fmt::format("{:.0f} k samples/s", per_second / 1e3);
  return fmt::format("{:.0f} samples/s", per_second);
}

std::string bar(double part) {
  const int full = std::clamp(static_cast<int>(part * kBarCells), 0, kBarCells);
  return fmt::format("[{:#>{}}{:.>{}}]", "", full, "", kBarCells - full);
}

std::string best_text(const train::EpochProgress& news) {
  if (news.best_epoch == 0) return "";
  std::string text = fmt::format("  best {:.4f} (epoch {})", news.best_figure, news.best_epoch);
  if (news.patience > 0) {
    text += fmt::format("  patience {}/{}", news.evaluations_without_gain, news.patience);
  }
  return text;
}

}  // namespace

Progress::Progress(bool quiet, std::string label)
    : quiet_(quiet), terminal_(stderr_is_terminal()), label_(std::move(label)) {
  if (!label_.empty()) label_ += ": ";
}

Progress::~Progress() {
  line_.erase();
}

void Progress::on_message(std::string_view sentence) {
  if (quiet_) return;
  line_.erase();
  say("{}{}", label_, sentence);
}

void Progress::on_step(const train::StepProgress& news) {
  if (quiet_ || !terminal_) return;
  const auto now = Clock::now();
  if (now - last_print_ < kRedraw) return;
  last_print_ = now;
  line_.draw(bar_line(news));
}

bool Progress::on_epoch(const train::EpochProgress& news) {
  if (phase_ != news.phase) {
    phase_ = news.phase;
    phase_seconds_ = 0;
    phase_epochs_ = 0;
  }
  phase_seconds_ += news.seconds + news.evaluate_seconds;
  ++phase_epochs_;
  last_ = news;
  last_->phase = phase_;  // the trainer's text may be gone by the next step
  if (quiet_ || terminal_) return false;
  const auto now = Clock::now();
  held_back_ = epoch_line(news);
  const bool first = phase_epochs_ == 1 && phase_ == "train";
  if (first || now - last_print_ >= kPlainLine) {
    say("{}", held_back_);
    held_back_.clear();
    last_print_ = now;
  }
  return false;
}

void Progress::on_evaluation(const eval::EvaluationProgress& news) {
  const auto now = Clock::now();
  if (news.done == 0) evaluation_said_ = now;  // short ones are over before the first line
  if (quiet_ || now - evaluation_said_ < (terminal_ ? kRedraw : kEvaluationLine)) return;
  evaluation_said_ = now;
  const double part = static_cast<double>(news.done) / static_cast<double>(news.users);
  const std::string line =
      fmt::format("{}evaluate {} {} {}/{} users  about {} left", label_, news.part, bar(part),
                  news.done, news.users, duration_text(news.seconds * (1 / part - 1)));
  if (terminal_ && news.done == news.users) return line_.erase();
  if (terminal_) return line_.draw(line);
  if (news.done < news.users) say("{}", line);
}

void Progress::finish() {
  line_.erase();
  if (!held_back_.empty()) say("{}", held_back_);
  held_back_.clear();
}

double Progress::seconds_left(int epoch, int epochs, double part_of_epoch) const {
  if (phase_epochs_ == 0) return -1;
  const double left = static_cast<double>(epochs - epoch) + 1.0 - part_of_epoch;
  return std::max(0.0, left) * phase_seconds_ / phase_epochs_;
}

std::string Progress::bar_line(const train::StepProgress& news) const {
  const double part =
      news.total == 0 ? 0 : static_cast<double>(news.done) / static_cast<double>(news.total);
  std::string line = fmt::format("{}{} {} epoch {}/{}  loss {:.4f}", label_, news.phase, bar(part),
                                 news.epoch, news.epochs, news.loss);
  if (!last_ || phase_ != news.phase) return line;
  line += fmt::format("  {}", rate_text(last_->samples_per_second));
  line += best_text(*last_);
  const double left = seconds_left(news.epoch, news.epochs, part);
  if (left >= 0) line += fmt::format("  at most {} left", duration_text(left));
  return line;
}

std::string Progress::epoch_line(const train::EpochProgress& news) const {
  std::string line =
      fmt::format("{}{} epoch {}/{}  loss {:.4f}  {}", label_, news.phase, news.epoch, news.epochs,
                  news.loss, rate_text(news.samples_per_second));
  if (news.recall) line += fmt::format("  recall@20 {:.4f}", *news.recall);
  if (news.ndcg) line += fmt::format("  ndcg@20 {:.4f}", *news.ndcg);
  if (news.figure && news.goal != "logged") {
    line += fmt::format("  {} {:.4f}", news.goal, *news.figure);
  }
  line += best_text(news);
  if (news.capped_share && *news.capped_share > 0.005) {
    line += fmt::format("  capped {:.0f} %", *news.capped_share * 100);
  }
  const double left = seconds_left(news.epoch + 1, news.epochs, 0);
  if (left > 0) line += fmt::format("  at most {} left", duration_text(left));
  return line;
}

}  // namespace evenkeel::cli
