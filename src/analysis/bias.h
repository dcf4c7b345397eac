// What popularity alone predicts. In: the angles xi of the popularity extractor (as margins of kind
// `angle` and strength 1) and the training pairs; out: bias degree by item and user, the nine
// groups, and how a run's margins lie.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/exposure.h"
#include "analysis/geometry.h"
#include "data/dataset.h"
#include "loss/margin.h"
#include "train/extractor.h"

namespace evenkeel::analysis {

loss::Margins bias_angles(const data::Dataset& data, const train::ExtractorTables& tables);

struct NineGroups {  // [user group][item group] of xi in radians, over training pairs
  std::array<GroupFigures, 3> mean, sd;
  std::array<std::array<std::uint64_t, 3>, 3> count{};
};
NineGroups nine_groups(const loss::Margins& xi, const data::Dataset& data);

// r is taken over popularity values, each with the mean degree of all rows that share it: the
// extractor knows nothing else of a row. On Tencent (a 62 % sample of its pairs) this gives 0.778
// for items and 0.703 for users, where the paper has 0.7703 and 0.662; over single users, whose
// degree depends on the few items they have, it would be 0.09.
struct BiasSide {
  std::vector<std::optional<double>> degree;   // by row: mean of cos(xi) over its training pairs
  std::vector<CurvePoint> by_value;            // (popularity, mean degree), ascending
  std::optional<double> pearson, pearson_log;  // over by_value: with popularity, with its logarithm
  std::optional<double> pearson_rows;          // over rows, with popularity
  std::vector<CurvePoint> trend;               // mean degree in bins of popularity, log-spaced
  std::size_t count = 0;                       // rows with training pairs
};
struct Bias {
  BiasSide items, users;
  NineGroups nine;
};
Bias measure_bias(const loss::Margins& xi, const data::Dataset& data);
BiasSide bias_side(std::vector<std::optional<double>> degree,
                   std::span<const std::uint32_t> popularity);

inline constexpr std::size_t kMarginBins = 40;
struct MarginSummary {  // over training pairs
  double bin_radians = 0;
  std::array<double, kMarginBins> histogram{};  // shares, bins from 0
  double mean = 0, sd = 0;
  double capped_share = 0;  // margin > pi - theta with the final vectors
};
MarginSummary summarize_margins(const loss::Margins& margins, const data::Dataset& data,
                                const Directions& directions);

}  // namespace evenkeel::analysis
