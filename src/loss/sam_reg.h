// sam+reg: (1 - r) * BPR + r * corr^2, where corr is the correlation, over the batch, of
// sigmoid(s_ui - s_uj) with the positive item's popularity.
#pragma once

#include "loss/registry.h"

namespace evenkeel::loss {

LossEntry sam_reg_entry();

}  // namespace evenkeel::loss
