// In: news of runs. Out: lines.
#include "cli/experiment_progress.h"

#include "cli/console.h"
#include "cli/table.h"

namespace evenkeel::cli {
namespace {

std::string standing_text(const experiment::RunProgress& news) {
  std::string text = fmt::format("[{}/{}]", news.done, news.total);
  if (news.seconds_left >= 0 && news.done < news.total) {
    text += fmt::format(" about {} left,", duration_text(news.seconds_left));
  }
  return text;
}

}  // namespace

ExperimentProgress::ExperimentProgress(bool quiet)
    : quiet_(quiet), terminal_(stderr_is_terminal()) {}

void ExperimentProgress::on_message(std::string_view sentence) {
  if (quiet_) return;
  line_.erase();
  say("evenkeel: {}", sentence);
}

void ExperimentProgress::on_run_start(const experiment::RunProgress& news) {
  if (quiet_ || !terminal_) return;
  running_[std::string(news.label)] = "";
  draw(news);
}

void ExperimentProgress::on_run_epoch(const experiment::RunProgress& news,
                                      const train::EpochProgress& epoch) {
  if (quiet_ || !terminal_) return;
  std::string& state = running_[std::string(news.label)];
  state = fmt::format(" {} {}", epoch.phase, epoch.epoch);
  if (epoch.best_epoch > 0) state += fmt::format(", best {:.4f}", epoch.best_figure);
  draw(news);
}

void ExperimentProgress::on_run_end(const experiment::RunProgress& news, std::string_view ending) {
  if (quiet_) return;
  line_.erase();
  running_.erase(std::string(news.label));
  say("{} {}: {}", standing_text(news), news.label, ending);
  if (!running_.empty()) draw(news);
}

void ExperimentProgress::finish() {
  line_.erase();
}

void ExperimentProgress::draw(const experiment::RunProgress& news) {
  std::string text = standing_text(news);
  for (const auto& [label, state] : running_) text += fmt::format(" {}{};", label, state);
  text.pop_back();
  line_.draw(text);
}

}  // namespace evenkeel::cli
