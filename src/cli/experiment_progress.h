// An experiment's news for people. In: runs that start, move and end; out: a line for every run
// that ended, and on a terminal one redrawn line for those that run, all on stderr.
#pragma once

#include <map>
#include <string>

#include "cli/status_line.h"
#include "experiment/observer.h"

namespace evenkeel::cli {

class ExperimentProgress : public experiment::ExperimentObserver {
 public:
  explicit ExperimentProgress(bool quiet);
  ~ExperimentProgress() override { finish(); }
  ExperimentProgress(const ExperimentProgress&) = delete;
  ExperimentProgress& operator=(const ExperimentProgress&) = delete;

  void on_message(std::string_view sentence) override;
  void on_run_start(const experiment::RunProgress& news) override;
  void on_run_epoch(const experiment::RunProgress& news,
                    const train::EpochProgress& epoch) override;
  void on_run_end(const experiment::RunProgress& news, std::string_view ending) override;

  void finish();  // clears the line

 private:
  void draw(const experiment::RunProgress& news);
  bool quiet_, terminal_;
  StatusLine line_;
  std::map<std::string, std::string, std::less<>> running_;  // label -> where it stands
};

}  // namespace evenkeel::cli
