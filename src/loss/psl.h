// Pairwise softmax loss: log sum_j a((c_uj - c_ui)/2)^{2/tau}, a(x) = relu(x + 1), atan(x) + 1 or
// tanh(x) + 1 where the softmax has e^x.
#pragma once

#include "loss/registry.h"

namespace evenkeel::loss {

LossEntry psl_entry();

}  // namespace evenkeel::loss
