// The table of losses. In: a name and settings; out: a loss, or the nearest name that exists.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/settings.h"
#include "loss/loss.h"
#include "loss/margin.h"

namespace evenkeel {

// What a loss may ask for besides its own options.
struct LossInputs {
  std::span<const std::uint32_t> user_popularity, item_popularity;
  const Margins* margins = nullptr;  // present if the entry uses margins
};

struct LossEntry {
  std::string_view name, description, reference;
  std::vector<Field> fields;   // the options that only matter to this loss
  std::string_view negatives;  // default of --negatives
  Similarity similarity;       // and so the default of --score
  bool trains;                 // false: ranks without training (most-pop)
  bool uses_margins;
  std::unique_ptr<Loss> (*make)(const Settings&, const LossInputs&);
};

std::span<const LossEntry> losses();
const LossEntry& find_loss(std::string_view name);

}  // namespace evenkeel
