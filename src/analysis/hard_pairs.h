// Hard examples: training pairs with the largest margins. In: margins and training pairs; out: for
// each item group the pairs that popularity explains least, and where a model ranks them.
#pragma once

#include <span>
#include <vector>

#include "data/dataset.h"
#include "eval/ranker.h"
#include "loss/margin.h"

namespace evenkeel::analysis {

struct HardPair {
  Row user = 0, item = 0;
  double margin = 0;  // radians
};

// At most `most` pairs for each of head, mid and tail items, largest margin first, one for each
// user: margins depend on popularity alone, so that a user's rarest items all have the same one.
std::vector<HardPair> hardest_pairs(const loss::Margins& margins, const data::Dataset& data,
                                    std::size_t most);

// Place of the item, from 1, among the items that `known` does not hold for the user: what a list
// would show if the pair had never been seen. Equal scores go to the lower row.
std::size_t rank_of_pair(const eval::VectorView& vectors, const data::Csr& known, Row user,
                         Row item);

}  // namespace evenkeel::analysis
