// In: what a run asks for. Out: the tables, trained once.
#include "train/shared_extractors.h"

namespace evenkeel::train {
namespace {

// Whatever its field does not rule out counts as seen: a new option that is not marked costs time,
// not truth.
bool is_seen(const Field& field) {
  return field.extractor_sees && (field.effect == Effect::kResult || field.effect == Effect::kSeed);
}

std::string key_of(const data::Dataset& data, const Settings& settings) {
  std::string key = data::training_fingerprint(data);
  for (const Field* field : settings.fields()) {
    if (!is_seen(*field)) continue;
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
