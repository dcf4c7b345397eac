// The one list of losses: a new loss is one file pair and one line here.
#include "loss/registry.h"

#include <array>

#include "base/registry.h"
#include "loss/bc.h"
#include "loss/ccl.h"
#include "loss/pairwise.h"
#include "loss/softmax.h"

namespace evenkeel {
namespace {

LossEntry most_pop_entry() {
  return {.name = "most-pop",
          .description = "no training: items ranked by their training popularity",
          .reference = "the popularity baseline",
          .fields = {},
          .negatives = "1",
          .similarity = Similarity::kDot,
          .trains = false,
          .uses_margins = false,
          .make = nullptr};
}

}  // namespace

std::span<const LossEntry> losses() {
  static const std::array entries{bc_entry(),  softmax_entry(), bpr_entry(),
                                  bce_entry(), ccl_entry(),     most_pop_entry()};
  return entries;
}

const LossEntry& find_loss(std::string_view name) {
  return find_entry("loss", name, losses());
}

}  // namespace evenkeel
