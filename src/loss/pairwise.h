// The losses over dot products of a positive and its negatives: BPR and BCE.
#pragma once

#include "loss/registry.h"

namespace evenkeel::loss {

LossEntry bpr_entry();  // -log sigmoid(s_ui - s_uj)
LossEntry bce_entry();  // -log sigmoid(s_ui) - log(1 - sigmoid(s_uj))

}  // namespace evenkeel::loss
