// The temperature of a ranking. In: vectors and pairs they were not trained on; out: the T that
// makes softmax(s / T) over the catalogue most likely to have given those pairs.
#pragma once

#include <optional>

#include "base/threads.h"
#include "cluster/cluster.h"
#include "data/dataset.h"
#include "eval/ranker.h"

namespace evenkeel::rank {

// At most kFitPairs pairs of `part`, each against at most kFitItems items drawn uniformly of those
// that the user has not in training. The likelihood is concave in 1 / T, so there is one answer;
// it is the same at any thread count. Nothing when the part is empty, or when no temperature is
// better than a very high one (the scores say nothing about the pairs).
inline constexpr std::size_t kFitPairs = 4096, kFitItems = 512;
std::optional<double> fit_temperature(const eval::VectorView& vectors, const data::Dataset& data,
                                      const data::Part& part, Threads& threads);
// The same where ranks may hold the users between them: those whom the fit looks at travel.
std::optional<double> fit_temperature(const eval::VectorView& vectors, const data::Dataset& data,
                                      const data::Part& part, Threads& threads,
                                      cluster::Cluster& ranks);

}  // namespace evenkeel::rank
