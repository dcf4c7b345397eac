// In: a standing, or text that says it is one. Out: JSON, or a standing whose parts fit each other.
#include "train/standing_json.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "io/json_text.h"

namespace evenkeel {
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
    std::string value = dump_json(at(key));
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
  double recall = -1;
  int epoch = 0, without_gain = 0;
};

// As event_line() of the trainer writes them, one for each epoch that has ended.
void read_event(const std::string& line, int epoch, bool validates, const std::string& path,
                Best& best) {
  const json event = parse_json(line);
  const Fields fields(event, fmt::format("event {}", epoch), path);
  if (line.find('\n') != std::string::npos) {
    fail_checkpoint(path, fmt::format("event {} is more than a line", epoch));
  }
  if (fields.count("epoch") != epoch) fields.fail("epoch");
  fields.number("loss");
  fields.number("seconds", 0);
  if (!fields.at("samples_per_second").is_null()) fields.number("samples_per_second", 0);
  if (fields.has("capped_share")) fields.number("capped_share", 0);
  if (!fields.has("valid")) return;
  const double recall = fields.object("valid").number("recall@20", 0);
  fields.object("valid").number("ndcg@20", 0);
  fields.number("evaluate_seconds", 0);
  if (!validates) fields.fail("valid");
  if (fields.flag("best") != (recall > best.recall)) fields.fail("best");
  best = recall > best.recall ? Best{recall, epoch, 0}
                              : Best{best.recall, best.epoch, best.without_gain + 1};
}

void read_events(const Fields& fields, const EpochShape& shape, const std::string& path,
                 Standing& standing) {
  const json& events = fields.at("events");
  const auto ended = static_cast<std::size_t>(standing.epoch - 1);
  if (!events.is_array() || events.size() != ended) {
    fail_checkpoint(path, fmt::format("{} events of {} epochs", events.size(), ended));
  }
  Best best;
  for (const json& event : events) {
    if (!event.is_string()) fail_checkpoint(path, "an event is no text");
    standing.events.push_back(event.get<std::string>());
    read_event(standing.events.back(), static_cast<int>(standing.events.size()), shape.validates,
               path, best);
  }
  // Without validation the last epoch that was looked at is the best.
  if (!shape.validates && standing.best_epoch > 0) best = {0, standing.best_epoch, 0};
  if (standing.best_epoch != best.epoch) fields.fail("best_epoch");
  if (standing.best_recall != best.recall) fields.fail("best_recall");
  if (standing.without_gain != best.without_gain) fields.fail("without_gain");
}

}  // namespace

void fail_checkpoint(const std::string& path, const std::string& what) {
  fail_data("{}: damaged checkpoint ({}); start anew without --resume", path, what);
}

json standing_json(const Standing& standing) {
  return {{"epoch", standing.epoch},
          {"epoch_loss", standing.totals.loss},
          {"epoch_samples", standing.totals.samples},
          {"epoch_capped", standing.totals.capped},
          {"epoch_seconds", standing.epoch_seconds},
          {"best_recall", standing.best_recall},
          {"best_epoch", standing.best_epoch},
          {"without_gain", standing.without_gain},
          {"train_seconds", standing.train_seconds},
          {"evaluate_seconds", standing.evaluate_seconds},
          {"samples", standing.samples},
          {"events", standing.events}};
}

Standing read_standing(const std::string& text, const EpochShape& shape, const std::string& path) {
  const json stored = parse_json(text);
  const Fields fields(stored, "its standing", path);
  Standing standing;
  standing.epoch = fields.count("epoch", std::numeric_limits<int>::max() - 1);
  if (standing.epoch < 1) fields.fail("epoch");
  const auto ended = static_cast<std::uint64_t>(standing.epoch - 1);
  standing.totals.samples = fields.whole("epoch_samples", shape.samples);
  // A step ends after a whole batch, or with the epoch.
  if (standing.totals.samples % shape.batch != 0 && standing.totals.samples != shape.samples) {
    fields.fail("epoch_samples");
  }
  standing.totals.loss = fields.number("epoch_loss");
  if (standing.totals.samples == 0 && standing.totals.loss != 0) fields.fail("epoch_loss");
  standing.totals.capped = fields.whole("epoch_capped", standing.totals.samples);
  standing.epoch_seconds = fields.number("epoch_seconds", 0);
  standing.best_recall = fields.number("best_recall", -1);
  standing.best_epoch = fields.count("best_epoch", standing.epoch - 1);
  standing.without_gain = fields.count("without_gain", standing.epoch - 1);
  standing.train_seconds = fields.number("train_seconds", 0);
  standing.evaluate_seconds = fields.number("evaluate_seconds", 0);
  standing.samples = fields.whole("samples", std::numeric_limits<std::uint64_t>::max());
  if (standing.samples != ended * shape.samples) fields.fail("samples");
  read_events(fields, shape, path, standing);
  return standing;
}

}  // namespace evenkeel
