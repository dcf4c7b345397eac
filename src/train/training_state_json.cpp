// In: a state, or text that says it is one. Out: JSON, or a state whose parts fit each other.
#include "train/training_state_json.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "io/json_text.h"

namespace evenkeel::train {
namespace {

using nlohmann::json;

// Fields of one JSON object, each of the type and size it must have.
class Fields {
 public:
  Fields(const json& object, std::string name, const std::string& path)
      : object_(object), name_(std::move(name)), path_(path) {
    if (!object_.is_object()) fail_checkpoint(path_, fmt::format("{} is no object", name_));
  }

  bool has(const char* key) const { return object_.contains(key); }
  std::uint64_t whole(const char* key, std::uint64_t most) const {
    const json& value = at(key);
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most) fail(key);
    return value.get<std::uint64_t>();
  }
  int count(const char* key, int most = std::numeric_limits<int>::max()) const {
    return static_cast<int>(whole(key, static_cast<std::uint64_t>(most)));
  }
  double number(const char* key, double least = std::numeric_limits<double>::lowest()) const {
    const json& value = at(key);
    if (!value.is_number() || !(value.get<double>() >= least) ||
        !std::isfinite(value.get<double>())) {
      fail(key);
    }
    return value.get<double>();
  }
  bool flag(const char* key) const {
    if (!at(key).is_boolean()) fail(key);
    return at(key).get<bool>();
  }
  Fields object(const char* key) const {
    return {at(key), fmt::format("'{}' of {}", key, name_), path_};
  }
  const json& at(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) fail_checkpoint(path_, fmt::format("{} has no '{}'", name_, key));
    return *found;
  }
  [[noreturn]] void fail(const char* key) const {
    std::string value = io::dump_json(at(key));
    constexpr std::size_t kShown = 40;
    if (value.size() > kShown) value = value.substr(0, kShown) + "...";
    fail_checkpoint(path_, fmt::format("'{}' of {} is {}", key, name_, value));
  }

 private:
  const json& object_;
  std::string name_;
  const std::string& path_;
};

// What the events tell of the best epoch.
struct Best {
  double figure = -1;
  int epoch = 0, without_gain = 0;
};

// As event_line() of the trainer writes them, one for each epoch that has ended.
void read_event(const std::string& line, int epoch, bool validates, const std::string& path,
                Best& best) {
  const json event = io::parse_json(line);
  const Fields fields(event, fmt::format("event {}", epoch), path);
  if (line.find('\n') != std::string::npos) {
    fail_checkpoint(path, fmt::format("event {} is more than a line", epoch));
  }
  if (fields.count("epoch") != epoch) fields.fail("epoch");
  fields.number("loss");
  fields.number("seconds", 0);
  if (!fields.at("samples_per_second").is_null()) fields.number("samples_per_second", 0);
  if (fields.has("slower")) fields.flag("slower");
  if (fields.has("capped_share")) fields.number("capped_share", 0);
  if (!fields.has("valid")) return;
  const Fields valid = fields.object("valid");
  const double recall = valid.number("recall@20", 0);
  valid.number("ndcg@20", 0);
  if (valid.has("balanced_recall@20")) valid.number("balanced_recall@20", 0);
  // Events of earlier versions know one figure.
  const double figure = fields.has("figure") ? fields.number("figure", 0) : recall;
  fields.number("evaluate_seconds", 0);
  if (!validates) fields.fail("valid");
  if (fields.flag("best") != (figure > best.figure)) fields.fail("best");
  best = figure > best.figure ? Best{figure, epoch, 0}
                              : Best{best.figure, best.epoch, best.without_gain + 1};
}

void read_events(const Fields& fields, const EpochShape& shape, const std::string& path,
                 TrainingState& state) {
  const json& events = fields.at("events");
  const auto ended = static_cast<std::size_t>(state.epoch - 1);
  if (!events.is_array() || events.size() != ended) {
    fail_checkpoint(path, fmt::format("{} events of {} epochs", events.size(), ended));
  }
  Best best;
  for (const json& event : events) {
    if (!event.is_string()) fail_checkpoint(path, "an event is no text");
    state.events.push_back(event.get<std::string>());
    read_event(state.events.back(), static_cast<int>(state.events.size()), shape.validates, path,
               best);
  }
  // Without validation the last epoch that was looked at is the best.
  if (!shape.validates && state.best_epoch > 0) best = {0, state.best_epoch, 0};
  if (state.best_epoch != best.epoch) fields.fail("best_epoch");
  if (state.best_figure != best.figure) fields.fail("best_figure");
  if (state.without_gain != best.without_gain) fields.fail("without_gain");
}

}  // namespace

void fail_checkpoint(const std::string& path, const std::string& what) {
  fail_data("{}: damaged checkpoint ({}); start anew without --resume", path, what);
}

json training_state_json(const TrainingState& state) {
  return {{"epoch", state.epoch},
          {"epoch_loss", state.totals.loss},
          {"epoch_samples", state.totals.samples},
          {"epoch_capped", state.totals.capped},
          {"epoch_seconds", state.epoch_seconds},
          {"best_figure", state.best_figure},
          {"best_epoch", state.best_epoch},
          {"without_gain", state.without_gain},
          {"train_seconds", state.train_seconds},
          {"evaluate_seconds", state.evaluate_seconds},
          {"samples", state.samples},
          {"events", state.events}};
}

TrainingState read_training_state(const std::string& text, const EpochShape& shape,
                                  const std::string& path) {
  const json stored = io::parse_json(text);
  const Fields fields(stored, "its standing", path);
  TrainingState state;
  state.epoch = fields.count("epoch", std::numeric_limits<int>::max() - 1);
  if (state.epoch < 1) fields.fail("epoch");
  const auto ended = static_cast<std::uint64_t>(state.epoch - 1);
  state.totals.samples = fields.whole("epoch_samples", shape.samples);
  // A step ends after a whole batch, or with the epoch.
  if (state.totals.samples % shape.batch != 0 && state.totals.samples != shape.samples) {
    fields.fail("epoch_samples");
  }
  state.totals.loss = fields.number("epoch_loss");
  if (state.totals.samples == 0 && state.totals.loss != 0) fields.fail("epoch_loss");
  state.totals.capped = fields.whole("epoch_capped", state.totals.samples);
  state.epoch_seconds = fields.number("epoch_seconds", 0);
  state.best_figure = fields.number("best_figure", -1);
  state.best_epoch = fields.count("best_epoch", state.epoch - 1);
  state.without_gain = fields.count("without_gain", state.epoch - 1);
  state.train_seconds = fields.number("train_seconds", 0);
  state.evaluate_seconds = fields.number("evaluate_seconds", 0);
  state.samples = fields.whole("samples", std::numeric_limits<std::uint64_t>::max());
  if (state.samples != ended * shape.samples) fields.fail("samples");
  read_events(fields, shape, path, state);
  return state;
}

}  // namespace evenkeel::train
