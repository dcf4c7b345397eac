// Sampled softmax (InfoNCE, SSM): -log( e^{c_ui/tau} / (e^{c_ui/tau} + sum_j e^{c_uj/tau}) ).
#pragma once

#include "loss/registry.h"

namespace evenkeel {

const Field& tau_field();  // shared by the softmax family
LossEntry softmax_entry();

}  // namespace evenkeel
