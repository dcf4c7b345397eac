// What a model's lists do to the catalogue. In: a model; out: how often each item is recommended,
// and what that means against how often it was consumed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/threads.h"
#include "eval/ranker.h"
#include "model/model.h"

namespace evenkeel::analysis {

inline constexpr std::size_t kDeciles = 10;
using DecileShares = std::array<double, kDeciles>;  // most popular tenth of the items first
using GroupShares = std::array<double, 3>;          // head, mid, tail
// The most popular 1 % of the items, the next 4 %, the next 15 %, all others: where lists favour
// popularity, head, mid and tail are one bar of head.
using SliceShares = std::array<double, 4>;

struct CurvePoint {
  double x = 0, y = 0;
};

struct Exposure {
  std::vector<CurvePoint> lorenz;  // (share of items, share of exposure), rarest items first
  double gini = 0, coverage = 0, tail_share = 0, mean_popularity = 0;
  GroupShares group_share{};
  DecileShares decile_share{};
  SliceShares slice_share{};
  // Share of exposure / share of training interactions; nothing for a tenth nobody consumed.
  std::array<std::optional<double>, kDeciles> lift{};
};

// By item: in how many of the lists of k it stands, one list for each of listed_users(), whose
// training items are left out of it.
std::vector<std::uint64_t> count_exposure(const model::Model& model, std::size_t k,
                                          Threads& threads);
// The same for these users and vectors alone.
std::vector<std::uint64_t> count_exposure(const eval::VectorView& vectors, const data::Csr& known,
                                          std::span<const Row> users, std::size_t k,
                                          Threads& threads);
std::vector<Row> users_with_items(const model::Model& model);  // in training, ascending
// All of them, or the sample that an evaluation would rank: the same for every model of the data.
std::vector<Row> listed_users(const model::Model& model);

Exposure measure_exposure(std::span<const std::uint64_t> counts,
                          std::span<const std::uint32_t> popularity);

// From (0, 0) to (1, 1) in at most `steps` + 1 points; the diagonal when all counts are zero.
std::vector<CurvePoint> lorenz_curve(std::span<const std::uint64_t> counts,
                                     std::size_t steps = 100);

// Shares of counts by tenths and thirds of the items, ordered by popularity; zeros without counts.
DecileShares decile_shares(std::span<const std::uint64_t> counts,
                           std::span<const std::uint32_t> popularity);
GroupShares group_shares(std::span<const std::uint64_t> counts,
                         std::span<const std::uint32_t> popularity);
SliceShares slice_shares(std::span<const std::uint64_t> counts,
                         std::span<const std::uint32_t> popularity);

}  // namespace evenkeel::analysis
