// MACR: the score times what the item alone and the user alone predict,
// f = s * sigmoid(w_item . i) * sigmoid(w_user . u); ranking takes the branches' effect out again.
#pragma once

#include "loss/registry.h"

namespace evenkeel::loss {

LossEntry macr_entry();

}  // namespace evenkeel::loss
