// The one list of losses: a new loss is one file pair and one line here. In: a name and settings;
// out: a loss.
#include "loss/registry.h"

#include <array>

#include "base/registry.h"
#include "loss/bc.h"
#include "loss/cause.h"
#include "loss/ccl.h"
#include "loss/ips_cn.h"
#include "loss/macr.h"
#include "loss/pairwise.h"
#include "loss/psl.h"
#include "loss/sam_reg.h"
#include "loss/sl_at_k.h"
#include "loss/softmax.h"
#include "loss/warp.h"

namespace evenkeel::loss {
namespace {

LossEntry most_pop_entry() {
  return {.name = "most-pop",
          .description = "no training: items ranked by their training popularity",
          .reference = "the popularity baseline",
          .fields = {},
          .negatives = "1",
          .similarity = Similarity::kDot};
}

}  // namespace

std::span<const LossEntry> losses() {
  static const std::array entries{bc_entry(),      softmax_entry(), sl_at_k_entry(), psl_entry(),
                                  bpr_entry(),     bce_entry(),     ccl_entry(),     warp_entry(),
                                  ips_cn_entry(),  cause_entry(),   sam_reg_entry(), macr_entry(),
                                  most_pop_entry()};
  return entries;
}

const LossEntry& find_loss(std::string_view name) {
  return find_entry("loss", name, losses());
}

}  // namespace evenkeel::loss
