// BC loss: softmax whose positive is pushed back by a bias-aware angular margin,
// cos(theta_ui + M_ui), M_ui = min(lambda * m_ui, pi - theta_ui).
#pragma once

#include "loss/registry.h"

namespace evenkeel::loss {

LossEntry bc_entry();

}  // namespace evenkeel::loss
