// CausE: a second, control item table stands in for the items of a small set of samples that is
// uniform over items, and both tables are held together.
#pragma once

#include "loss/registry.h"

namespace evenkeel::loss {

LossEntry cause_entry();

// Which training pairs are control samples, in the order of users_of: about a tenth of all, the
// same quota from every item, never an item's only pair. Seeded; a data error when none can be
// taken.
std::vector<std::uint8_t> control_samples(const data::Csr& users_of, std::uint64_t seed);

}  // namespace evenkeel::loss
