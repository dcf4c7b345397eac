// In: options as given. Out: all of them, as they will be used.
#include "train/complete_settings.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "data/options.h"
#include "data/split.h"
#include "eval/goals.h"
#include "loss/registry.h"
#include "train/extractor.h"
#include "train/run_result.h"

namespace evenkeel::train {
namespace {

// A goal that counts rare items is served by many negatives and a small margin; its temperature
// comes with the data (docs/choose-a-loss.md has the figures).
void resolve_for_goal(Settings& settings, const loss::LossEntry& loss) {
  if (eval::parse_goal(settings.text("goal")) == eval::Goal::kLogged || !loss.calibrated) return;
  const auto set = [&](std::string_view name, std::string_view value) {
    if (!settings.is_set(name)) settings.set(name, value);
  };
  // A strength that was given belongs to the margin it was tried with.
  const bool margin_given = settings.is_set("margin") || settings.is_set("margin-strength");
  if (loss.uses_margins && loss.defaults.empty() && !margin_given) {
    settings.set("margin", std::string_view("angle"));
    settings.set("margin-strength", Value(0.1));
  }
  if (settings.text("negatives") != "auto" || settings.is_set("shared-negatives")) return;
  set("tile", "256");
  settings.set("negatives", std::string_view("1024"));
  settings.set("shared-negatives", Value(true));
}

// A large catalogue has more to tell apart: the temperature that served balanced goals best was 0.2
// to 0.3 below some thousand items and fell to 0.1 at 41,000 (docs/choose-a-loss.md).
double goal_temperature(std::size_t items) {
  constexpr double kItems = 41000, kLeast = 0.1, kMost = 0.25;
  const double fewer = kItems / static_cast<double>(std::max<std::size_t>(items, 1));
  return std::clamp(std::round(100 * kLeast * std::sqrt(fewer)) / 100, kLeast, kMost);
}

void check_together(const Settings& settings) {
  const bool whole = settings.text("split") == data::kNoSplit;
  if (whole && settings.flag("refit")) {
    fail_config("--refit chooses the epoch on validation, and --split none leaves none; give one");
  }
  if (whole && !settings.is_set("epochs")) {
    fail_config(
        "--split none trains on everything, so nothing tells when to stop; give --epochs N, or "
        "--refit instead, which finds it");
  }
  const Field& epochs = settings.field("extractor-epochs");
  if (settings.text("extractor") == "classes" &&
      settings.value(epochs.name) != epochs.default_value) {
    fail_config(
        "--extractor-epochs is {}, but --extractor classes has no epochs; leave it out or give "
        "--extractor sampled",
        settings.integer(epochs.name));
  }
}

}  // namespace

void resolve_defaults(Settings& settings) {
  const loss::LossEntry& loss = loss::find_loss(settings.text("loss"));
  resolve_for_goal(settings, loss);
  if (settings.text("negatives") == "auto") settings.set("negatives", loss.negatives);
  if (settings.text("score") == "auto") {
    const bool cosine = loss.similarity == loss::Similarity::kCosine;
    settings.set("score", std::string_view(cosine ? "cosine" : "dot"));
  }
  // What the log rewards needs no correction; looking for one costs as much as validations do.
  if (!settings.is_set("debias")) {
    const bool logged = eval::parse_goal(settings.text("goal")) == eval::Goal::kLogged;
    settings.set("debias", std::string_view(logged ? "0" : "auto"));
  }
  for (const auto& [name, value] : loss.defaults) {
    if (!settings.is_set(name)) settings.set(name, value);
  }
  settings.set("extractor", extractor_entry(settings).name);
}

void fit_to_data(Settings& settings, std::size_t interactions, std::size_t items) {
  const bool logged = eval::parse_goal(settings.text("goal")) == eval::Goal::kLogged;
  if (!logged && !settings.is_set("tau") && loss::find_loss(settings.text("loss")).calibrated) {
    settings.set("tau", Value(goal_temperature(items)));
  }
  constexpr std::size_t kSteps = 16, kLeastBatch = 64, kStepsBetween = 50;
  auto batch = static_cast<std::size_t>(settings.integer("batch"));
  if (!settings.is_set("batch")) {
    batch = std::min(batch, std::max(kLeastBatch, interactions / kSteps));
    settings.set("batch", Value(static_cast<std::int64_t>(batch)));
  }
  if (settings.integer("eval-every") == 0) {
    batch *= static_cast<std::size_t>(settings.integer("accumulate"));
    const std::size_t steps = std::max<std::size_t>(1, (interactions + batch - 1) / batch);
    settings.set("eval-every",
                 Value(static_cast<std::int64_t>((kStepsBetween + steps - 1) / steps)));
  }
}

Settings complete_settings(const Settings& given, Observer& observer) {
  Settings settings = given;
  if (!settings.text("from").empty()) {
    settings.set("from", Value(absolute_path(settings.text("from"))));
  }
  resolve_defaults(settings);
  check_together(settings);
  const loss::LossEntry& loss = loss::find_loss(settings.text("loss"));
  if (loss.make_batch != nullptr &&
      (settings.text("negatives") != "1" || settings.flag("shared-negatives"))) {
    observer.on_message(
        fmt::format("loss {} compares one negative with each positive: "
                    "--negatives {} is taken as 1",
                    loss.name, settings.text("negatives")));
    settings.set("negatives", std::string_view("1"));
    settings.set("shared-negatives", Value(false));
  }
  train_options(settings);
  return settings;
}

}  // namespace evenkeel::train
