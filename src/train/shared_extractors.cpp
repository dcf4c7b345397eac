// In: what a run asks for. Out: the tables, trained once.
#include "train/shared_extractors.h"

#include <algorithm>
#include <array>

namespace evenkeel::train {
namespace {

// Options that an extractor cannot notice. Whatever is not listed counts as seen: a new option that
// is forgotten here costs time, not truth.
constexpr std::array<std::string_view, 17> kUnseen = {"tau",
                                                      "negative-weight",
                                                      "top-k",
                                                      "tau-weight",
                                                      "threshold-epochs",
                                                      "threshold-negatives",
                                                      "margin",
                                                      "margin-strength",
                                                      "margin-shape",
                                                      "score",
                                                      "encoder",
                                                      "epochs",
                                                      "eval-every",
                                                      "patience",
                                                      "threads",
                                                      "checkpoint-seconds",
                                                      "name"};

std::string key_of(const data::Dataset& data, const Settings& settings) {
  std::string key = data::fingerprint(data);
  for (const Field* field : settings.fields()) {
    if (std::find(kUnseen.begin(), kUnseen.end(), field->name) != kUnseen.end()) continue;
    key += "\n" + std::string(field->name) + " = " + to_text(settings.value(field->name));
  }
  return key;
}

}  // namespace

ExtractorTables SharedExtractors::tables(const data::Dataset& data, const Settings& settings,
                                         FunctionRef<ExtractorTables()> train) {
  Slot& slot = [&]() -> Slot& {
    const std::lock_guard lock(mutex_);
    return slots_[key_of(data, settings)];
  }();
  const std::lock_guard lock(slot.mutex);
  if (!slot.tables) slot.tables = train();
  return *slot.tables;
}

}  // namespace evenkeel::train
