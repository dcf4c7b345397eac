// SL@K: w_ui log sum_j e^{(c_uj - c_ui)/tau}, w_ui = sigmoid((c_ui - b_u)/tau_w), b_u the score of
// the K-th place in the user's list: pairs that can reach the list weigh more.
#pragma once

#include "loss/registry.h"

namespace evenkeel::loss {

LossEntry sl_at_k_entry();

}  // namespace evenkeel::loss
