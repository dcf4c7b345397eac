// In: spaces and figures. Out: candidates and places.
#include "experiment/search.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "base/error.h"
#include "base/rng.h"

namespace evenkeel::experiment {

std::vector<Options> grid_of(const SearchSpace& space) {
  std::vector<Options> grid{{}};
  for (const SearchAxis& axis : space) {
    std::vector<Options> longer;
    for (const Options& point : grid) {
      for (const Value& value : axis.values) {
        longer.push_back(point);
        longer.back().push_back({axis.name, value});
      }
    }
    grid = std::move(longer);
  }
  return grid;
}

std::vector<Options> draw_candidates(std::vector<Options> candidates, std::size_t count,
                                     std::uint64_t seed) {
  if (candidates.size() <= count) return candidates;
  const Random random(seed, Purpose::kSearch);
  std::vector<std::size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return random.word64(static_cast<std::uint32_t>(a), 0) <
           random.word64(static_cast<std::uint32_t>(b), 0);
  });
  order.resize(count);
  std::sort(order.begin(), order.end());
  std::vector<Options> drawn;
  drawn.reserve(count);
  for (const std::size_t i : order) drawn.push_back(std::move(candidates[i]));
  return drawn;
}

std::vector<Options> candidates_of(const SearchSpace& space, const Tuning& tuning,
                                   std::uint64_t seed) {
  std::vector<Options> grid = grid_of(space);
  if (tuning.kind == TuningKind::kGrid) return grid;
  return draw_candidates(std::move(grid), tuning.candidates, seed);
}

Search::Search(std::size_t candidates, std::vector<int> rungs, std::vector<std::size_t> families)
    : rungs_(std::move(rungs)), families_(std::move(families)) {
  EVENKEEL_CHECK(candidates > 0 && !rungs_.empty());
  EVENKEEL_CHECK(families_.empty() || families_.size() == candidates);
  for (std::size_t i = 0; i < candidates; ++i) {
    running_.push_back(i);
    places_.push_back({i, 0, std::nullopt});
  }
}

void Search::report(const std::vector<std::optional<double>>& figures) {
  EVENKEEL_CHECK(!done() && figures.size() == running_.size());
  for (std::size_t i = 0; i < running_.size(); ++i) {
    Place& place = places_[running_[i]];
    if (figures[i] || !place.figure) place = {running_[i], rung_, figures[i]};
  }
  ++rung_;
  if (done()) return;
  running_ = survivors((running_.size() + kCut - 1) / kCut);
  if (running_.empty()) rung_ = rungs_.size();  // every candidate failed
}

std::vector<std::size_t> Search::survivors(std::size_t keep) const {
  std::vector<std::size_t> first, rest;  // the best of their family; the others
  std::set<std::size_t> seen;
  for (const Place& place : ranking()) {
    if (!place.figure || place.rung + 1 != rung_) continue;
    const bool leads =
        rung_ == 1 && !families_.empty() && seen.insert(families_[place.candidate]).second;
    (leads ? first : rest).push_back(place.candidate);
  }
  first.insert(first.end(), rest.begin(), rest.end());
  first.resize(std::min(keep, first.size()));
  std::sort(first.begin(), first.end());
  return first;
}

std::vector<Search::Place> Search::ranking() const {
  std::vector<Place> ranking = places_;
  std::stable_sort(ranking.begin(), ranking.end(), [](const Place& a, const Place& b) {
    if (a.figure.has_value() != b.figure.has_value()) return a.figure.has_value();
    if (a.rung != b.rung) return a.rung > b.rung;
    return a.figure > b.figure;
  });
  return ranking;
}

std::vector<int> halving_rungs(std::size_t candidates, int first, int most) {
  std::vector<int> rungs;
  for (int step = 0, epochs = first; step < 2; ++step, epochs *= kCut) {
    if (epochs >= most || candidates <= 1) break;
    rungs.push_back(epochs);
    candidates = (candidates + kCut - 1) / kCut;
  }
  rungs.push_back(kAllEpochs);
  return rungs;
}

}  // namespace evenkeel::experiment
