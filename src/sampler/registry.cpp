// The one list of sample orders. In: a name and the data set; out: the positives of an epoch.
#include "sampler/registry.h"

#include <array>

#include "base/registry.h"
#include "sampler/divided_order.h"

namespace evenkeel::sampler {

std::span<const SamplerEntry> samplers() {
  static const std::array entries{
      SamplerEntry{"interaction", "every training pair once an epoch, shuffled (the paper)",
                   positives_by_interaction, [](double) { return 1.0; }, divided_by_interaction},
      SamplerEntry{"user", "users in turn, a random positive of each (the authors' program)",
                   positives_by_user, [](double total) { return 1.0 / total; }}};
  return entries;
}

const SamplerEntry& find_sampler(std::string_view name) {
  return find_entry("sampler", name, samplers());
}

}  // namespace evenkeel::sampler
