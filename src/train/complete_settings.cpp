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

bool has_field(const loss::LossEntry& loss, std::string_view name) {
  return std::any_of(loss.fields.begin(), loss.fields.end(),
                     [&](const Field& field) { return field.name == name; });
}

// What the log shows is predicted best without a margin, at each data set's best temperature
// (docs/choose-a-loss.md has the figures). Who sets an option of margins wants them.
void choose_loss(Settings& settings, bool logged) {
  if (!logged || settings.is_set("loss")) return;
  const loss::LossEntry& plain = loss::find_loss("softmax");
  for (const Field& field : loss::find_loss(settings.text("loss")).fields) {
    if (settings.is_set(field.name) && !has_field(plain, field.name)) return;
  }
  settings.set("loss", plain.name);
}

// A softmax over shared negatives is the fastest way to a good model; rare items are served by
// more of them and a small margin. The temperature comes with the data.
void resolve_for_goal(Settings& settings, const loss::LossEntry& loss, bool logged) {
  if (!has_field(loss, "tau")) return;
  const auto set = [&](std::string_view name, std::string_view value) {
    if (!settings.is_set(name)) settings.set(name, value);
  };
  // A strength that was given belongs to the margin it was tried with.
  const bool margin_given = settings.is_set("margin") || settings.is_set("margin-strength");
  if (loss.uses_margins && loss.defaults.empty() && !margin_given) {
    set("margin", "angle");
    set("margin-strength", "0.1");
  }
  if (logged) {
    set("lr", "0.002");
    set("patience", "5");
  }
  if (settings.text("negatives") != "auto" || settings.is_set("shared-negatives")) return;
  set("tile", "256");
  set("negatives", logged ? "512" : "1024");
  set("shared-negatives", "true");
}

// Rows of another run are nearly right: half the rate brings them to the quality of a training from
// scratch in a fifth of its epochs (docs/serve.md).
void start_gently(Settings& settings, bool rate_given) {
  if (settings.text("from").empty() || rate_given) return;
  settings.set("lr", Value(settings.number("lr") / 2));
}

// The more pairs there are to learn from, the finer the similarities that can be told apart: the
// temperatures that did best fall from 0.25 and more for some ten thousand pairs to 0.1 to 0.15 for
// a million (docs/choose-a-loss.md).
double usual_temperature(std::size_t interactions) {
  constexpr double kPairs = 4e5, kLeast = 0.12, kMost = 0.25;
  const double fewer = kPairs / static_cast<double>(std::max<std::size_t>(interactions, 1));
  const double tau = kLeast * std::cbrt(fewer);
  return std::clamp(std::round(100 * tau) / 100, kLeast, kMost);
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
  const bool logged = eval::parse_goal(settings.text("goal")) == eval::Goal::kLogged;
  choose_loss(settings, logged);
  const loss::LossEntry& loss = loss::find_loss(settings.text("loss"));
  const bool rate_given = settings.is_set("lr");
  resolve_for_goal(settings, loss, logged);
  start_gently(settings, rate_given);
  if (settings.text("negatives") == "auto") settings.set("negatives", loss.negatives);
  if (settings.text("score") == "auto") {
    const bool cosine = loss.similarity == loss::Similarity::kCosine;
    settings.set("score", std::string_view(cosine ? "cosine" : "dot"));
  }
  // What the log rewards needs no correction; looking for one costs as much as validations do.
  if (!settings.is_set("debias")) {
    settings.set("debias", std::string_view(logged ? "0" : "auto"));
  }
  for (const auto& [name, value] : loss.defaults) {
    if (!settings.is_set(name)) settings.set(name, value);
  }
  settings.set("extractor", extractor_entry(settings).name);
}

void fit_to_data(Settings& settings, std::size_t interactions) {
  if (!settings.is_set("tau") && has_field(loss::find_loss(settings.text("loss")), "tau")) {
    settings.set("tau", Value(usual_temperature(interactions)));
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
