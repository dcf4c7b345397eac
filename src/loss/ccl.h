// Cosine contrastive loss: (1 - c_ui) + w * mean_j max(0, c_uj - m).
#pragma once

#include "loss/registry.h"

namespace evenkeel::loss {

LossEntry ccl_entry();

}  // namespace evenkeel::loss
