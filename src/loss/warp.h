// WARP: a hinge on the first draw that violates the margin, s_uj > s_ui - 1, weighted by the rank
// that the number of draws tells: log(floor((I - 1) / draws)).
#pragma once

#include "loss/registry.h"

namespace evenkeel::loss {

LossEntry warp_entry();

}  // namespace evenkeel::loss
