// In: pairs or a file. Out: the engine's log behind the public one.
#include "evenkeel/interaction_log.h"

#include <cmath>
#include <filesystem>

#include "base/error.h"
#include "data/interactions.h"
#include "data/options.h"
#include "data/reader.h"
#include "face/access.h"

namespace evenkeel {
namespace {

// "shop.log.csv.gz" is the log "shop", as it is for `evenkeel train`.
std::string stem_of(const std::string& file) {
  std::filesystem::path path = std::filesystem::path(file).filename();
  while (path.has_extension() && !path.stem().empty()) path = path.stem();
  return path.string();
}

Pair numbered_pair(data::Interactions& log, std::string_view user, std::string_view item) {
  if (user.empty() || item.empty()) {
    fail_data("pair {} has an empty {} id; give it a name", log.pairs.size() + 1,
              user.empty() ? "user" : "item");
  }
  return {log.users.insert(user), log.items.insert(item)};
}

}  // namespace

struct InteractionLog::State {
  std::string name;
  data::Interactions log;
};

InteractionLog::InteractionLog(std::string name)
    : state_(std::make_unique<State>(State{std::move(name), {}})) {}
InteractionLog::~InteractionLog() = default;
InteractionLog::InteractionLog(const InteractionLog& other)
    : state_(std::make_unique<State>(*other.state_)) {}
InteractionLog& InteractionLog::operator=(const InteractionLog& other) {
  if (this != &other) state_ = std::make_unique<State>(*other.state_);
  return *this;
}
InteractionLog::InteractionLog(InteractionLog&& other) noexcept = default;
InteractionLog& InteractionLog::operator=(InteractionLog&& other) noexcept = default;

InteractionLog InteractionLog::read(const std::string& path, const OptionValues& reading) {
  Settings settings{data::reading_fields()};
  set_options(settings, reading);
  data::ReadOptions options = data::read_options(settings);
  options.times = settings.is_set("time-column") ? data::Times::kRequired : data::Times::kIgnore;
  Threads threads;
  InteractionLog log(stem_of(path));
  log.state_->log = data::read_interactions(path, options, threads);
  return log;
}

void InteractionLog::add(std::string_view user, std::string_view item) {
  data::Interactions& log = state_->log;
  if (!log.times.empty()) {
    fail_data("pair {} has no time, but the pairs before it have; give all of them or none",
              log.pairs.size() + 1);
  }
  log.pairs.push_back(numbered_pair(log, user, item));
}

void InteractionLog::add(std::string_view user, std::string_view item, double time) {
  data::Interactions& log = state_->log;
  if (log.times.size() != log.pairs.size()) {
    fail_data("pair {} has a time, but the pairs before it have none; give all of them or none",
              log.pairs.size() + 1);
  }
  if (!std::isfinite(time)) {
    fail_data("pair {} has the time {}; give a finite number", log.pairs.size() + 1, time);
  }
  const Pair pair = numbered_pair(log, user, item);
  log.times.push_back(time);
  log.pairs.push_back(pair);
}

std::size_t InteractionLog::size() const {
  return state_->log.pairs.size();
}
std::size_t InteractionLog::users() const {
  return state_->log.users.size();
}
std::size_t InteractionLog::items() const {
  return state_->log.items.size();
}

const std::string& LogAccess::name(const InteractionLog& log) {
  return log.state_->name;
}

data::Interactions LogAccess::interactions(const InteractionLog& log) {
  data::Interactions copy = log.state_->log;
  if (copy.pairs.empty()) fail_data("the log has no interactions; add some");
  data::merge_duplicates(copy);
  return copy;
}

}  // namespace evenkeel
