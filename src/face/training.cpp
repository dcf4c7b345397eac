// In: data, options by name, callbacks. Out: a run of the engine, as the public face shows it.
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "data/kcore.h"
#include "data/options.h"
#include "data/parts.h"
#include "data/split.h"
#include "evenkeel/recommender.h"
#include "face/access.h"
#include "train/run.h"

namespace evenkeel {
namespace {

class Listener final : public train::Observer {
 public:
  explicit Listener(const TrainingControl& control) : control_(control) {}
  void on_message(std::string_view sentence) override {
    if (control_.on_message) control_.on_message(sentence);
  }
  bool on_epoch(const train::EpochProgress& news) override {
    if (!control_.on_epoch) return false;
    return control_.on_epoch({news.phase, news.epoch, news.epochs, news.loss, news.seconds,
                              news.recall, news.ndcg, news.best});
  }

 private:
  const TrainingControl& control_;
};

Settings settings_of(const OptionValues& options) {
  Settings settings = train::run_settings();
  set_options(settings, options);
  return settings;
}

train::RunRequest request_of(const TrainingControl& control) {
  train::RunRequest request;
  request.out = control.out;
  request.resume = control.resume;
  request.overwrite = control.overwrite;
  return request;
}

void refuse_reading_options(const Settings& settings) {
  for (const Field& field : data::reading_fields()) {
    if (!settings.is_set(field.name)) continue;
    fail_config("option {} says how to read a file, but the log is in memory; leave it out",
                field.name);
  }
}

// A log in memory, filtered and cut as a file is.
data::Dataset dataset_of_log(const InteractionLog& given, const Settings& settings) {
  refuse_reading_options(settings);
  const data::SplitProtocol& protocol = data::find_protocol(settings.text("split"));
  data::Interactions log = LogAccess::interactions(given);
  if (protocol.times == data::Times::kRequired && log.times.empty()) {
    fail_config("split '{}' needs times, and the log has none; add pairs with their times",
                protocol.name);
  }
  if (protocol.times == data::Times::kIgnore) log.times.clear();
  data::filter_k_core(log, settings.integer("k-core"));
  data::refuse_validation(settings);
  return data::make_dataset(
      data::cut(LogAccess::name(given), log, data::split_as_asked(protocol, log, settings)));
}

TrainingResult result_of(train::FinishedRun run) {
  TrainingResult result{RecommenderAccess::made_of(std::move(run.model)), {}};
  for (const auto& [part, figures] : run.result["evaluations"].items()) {
    PartFigures measured{part, figures["users"].get<std::size_t>(), {}};
    for (const auto& [name, value] : figures.items()) {
      if (name != "users") measured.figures[name] = value.get<double>();
    }
    result.parts.push_back(std::move(measured));
  }
  result.best_epoch = run.result["best_epoch"].get<int>();
  result.epochs = run.result["epochs"].get<int>();
  return result;
}

const std::atomic<bool>& stop_of(const TrainingControl& control) {
  static const std::atomic<bool> never{false};
  return control.stop != nullptr ? *control.stop : never;
}

}  // namespace

TrainingResult train_recommender(const std::string& data, const OptionValues& options,
                                 const TrainingControl& control) {
  if (data.empty()) fail_config("the path of the data is empty; name a folder or a file");
  const Settings settings = settings_of(options);
  train::RunRequest request = request_of(control);
  request.data = data;
  Listener listener(control);
  return result_of(train::fit_model(request, settings, listener, stop_of(control)));
}

TrainingResult train_recommender(const InteractionLog& log, const OptionValues& options,
                                 const TrainingControl& control) {
  const Settings settings = settings_of(options);
  train::RunRequest request = request_of(control);
  request.log_in_memory = true;
  Listener listener(control);
  return result_of(train::fit_model(request, dataset_of_log(log, settings), settings, listener,
                                    stop_of(control)));
}

}  // namespace evenkeel
