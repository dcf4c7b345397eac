// One data set, one method, one search space. In: the settings of a training; out: a plan for
// run_sweep, and the choice that `evenkeel train --auto` makes with it.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiment/experiment.h"
#include "train/run.h"

namespace evenkeel::experiment {

// --budget: a number of candidates, or a time ("90s", "10m", "2h").
struct Budget {
  std::size_t candidates = 0;  // 0: not limited
  double seconds = 0;          // 0: not limited
};
Budget parse_budget(const std::string& text);

// "tau=0.06,0.08": an axis whose values are checked against the option's field.
SearchAxis parse_axis(std::string_view text);

// Everything that is set stays as it is; the space is searched.
Plan single_plan(const std::string& data, const Settings& settings, SearchSpace space);

// Temperatures, margin strength and learning rate, as far as the loss has them and they are not
// set.
SearchSpace automatic_space(const Settings& settings);

struct AutoChoice {
  Settings settings;        // with the best candidate's options
  Options chosen;           // empty: there was nothing to choose
  std::string why, beside;  // two sentences for people
  std::string folder;       // of the best candidate; its checkpoint can be gone on from
};

// Successive halving over automatic_space() in `out`, on validation only. What cannot be searched
// is refused before `begin` is called, and nothing is written before that.
AutoChoice choose_settings(const std::string& data, const Settings& settings, const Budget& budget,
                           const std::string& out, ExperimentObserver& observer,
                           const std::atomic<bool>& stop, const std::function<void()>& begin = {});

// A search that was stopped in RUN, or whose choice is not trained to the end: what it was asked.
struct PendingSearch {
  std::string data;
  Settings settings;
  Budget budget;
};
std::optional<PendingSearch> pending_search(const std::string& run);

// train_run() with settings that choose_settings() found in OUT/auto; what the search trained
// already is not trained again, and the search's tables are removed in the end. With `resume` a
// pending search goes on, and what failed leaves nothing behind.
nlohmann::json train_auto(const train::RunRequest& request, const Settings& settings,
                          const Budget& budget, ExperimentObserver& search_observer,
                          train::Observer& observer, const std::atomic<bool>& stop);

}  // namespace evenkeel::experiment
