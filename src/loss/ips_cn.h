// IPS-CN: BPR weighted by the positive's clipped, normalised inverse propensity.
#pragma once

#include <vector>

#include "loss/registry.h"

namespace evenkeel::loss {

LossEntry ips_cn_entry();

// q_i = (p_i + 1) / max(p + 1), w_i = clip(1/q_i, 1, median(1/q)), then w / max(w).
std::vector<float> ips_weights(std::span<const std::uint32_t> item_popularity);

}  // namespace evenkeel::loss
