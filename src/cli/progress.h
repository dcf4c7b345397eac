// A run's news for people. In: the trainer's steps and epochs; out: on a terminal one redrawn line,
// elsewhere a plain line now and then, all on stderr.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "cli/status_line.h"
#include "train/observer.h"

namespace evenkeel::cli {

class Progress : public train::Observer {
 public:
  Progress(bool quiet, std::string label = "");
  ~Progress() override;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void on_message(std::string_view sentence) override;
  void on_step(const train::StepProgress& news) override;
  bool on_epoch(const train::EpochProgress& news) override;
  void on_evaluation(const eval::EvaluationProgress& news) override;

  void finish();  // clears the bar, or prints the last epoch that was held back

 private:
  using Clock = std::chrono::steady_clock;
  std::string bar_line(const train::StepProgress& news) const;
  std::string epoch_line(const train::EpochProgress& news) const;
  double seconds_left(int epoch, int epochs, double part_of_epoch) const;

  bool quiet_, terminal_;
  StatusLine line_;
  std::string label_;
  Clock::time_point last_print_{}, evaluation_said_{};
  std::string held_back_;                     // the newest epoch line, not printed yet
  std::optional<train::EpochProgress> last_;  // of the current phase
  std::string phase_;
  double phase_seconds_ = 0;  // training and evaluation of the phase's finished epochs
  int phase_epochs_ = 0;
};

}  // namespace evenkeel::cli
