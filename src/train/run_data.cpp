// In: a data set. Out: the same, ready for a run.
#include "train/run_data.h"

#include "base/error.h"
#include "data/prepared.h"
#include "data/split.h"
#include "encoder/registry.h"
#include "loss/registry.h"

namespace evenkeel::train {

bool is_log(const RunRequest& request) {
  return request.data.empty() ? request.log_in_memory : !data::is_split_already(request.data);
}

void refuse_second_validation(const RunRequest& request, const Settings& settings,
                              const data::Dataset& data, const data::LoadReport& report) {
  const Value& asked = settings.value("validation");
  if (settings.number("validation") == 0 || asked == settings.field("validation").default_value) {
    return;
  }
  if (is_log(request) || data::is_prepared(request.data)) return;
  if (report.held_out_validation || data.valid.interactions() == 0) return;
  fail_config("--validation is {}, but {} has a validation part; leave one of them out",
              to_text(asked), request.data);
}

void keep_what_trains(data::Dataset& data, const Settings& settings) {
  const bool wanted = loss::find_loss(settings.text("loss")).reads_users_of ||
                      encoder::find_encoder(settings.text("encoder")).reads_users_of ||
                      !settings.text("from").empty();
  if (!wanted) data.users_of = {};
}

void describe_data(const data::Dataset& data, bool held_out, Observer& observer) {
  observer.on_message(
      fmt::format("{}: {} users, {} items, {} training interactions, validation {}{}", data.name,
                  data.user_count(), data.item_count(), data.interactions(),
                  data.valid.interactions(), held_out ? " (held out of train)" : ""));
  std::size_t full = 0;
  for (std::size_t u = 0; u < data.user_count(); ++u) {
    if (data.items_of.count(u) == data.item_count()) ++full;
  }
  if (full > 0) {
    observer.on_message(fmt::format("{} users own every item and take no part in training", full));
  }
}

data::Dataset fitted_to_start(data::Dataset data, const model::Model& start, CutHere cut,
                              const std::string& run, Observer& observer) {
  const StartCover cover = start_cover(start, data.users, data.items);
  if (cover.users + cover.items == 0) {
    fail_data("{}: it has no user and no item of --from {}; leave --from out", data.name, run);
  }
  observer.on_message(fmt::format("starting from {}: it has {} of {} users and {} of {} items", run,
                                  cover.users, data.user_count(), cover.items, data.item_count()));
  return keep_known_in_training(std::move(data), start, cut, run, observer);
}

}  // namespace evenkeel::train
