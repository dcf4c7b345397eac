// The temperature of a ranking. In: vectors and pairs they were not trained on; out: the T that
// makes softmax(s / T) over the catalogue most likely to have given those pairs.
#pragma once

#include <optional>
#include <vector>

#include "base/threads.h"
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
// The same from the vectors of those users alone, ascending, whom the fit looks at: row k is that
// of the k-th of them.
std::vector<Row> fitted_users(const data::Part& part);
std::optional<double> fit_temperature_of_fitted_users(const eval::VectorView& vectors,
                                                      const data::Dataset& data,
                                                      const data::Part& part, Threads& threads);

}  // namespace evenkeel::rank
