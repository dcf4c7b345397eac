// Which settings to try, and which to try longer. In: a search space and validation figures; out:
// candidates, and their ranking. It trains nothing itself.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "experiment/plan.h"

namespace evenkeel::experiment {

// Every combination, the last axis running fastest. An empty space has one candidate without
// options.
std::vector<Options> grid_of(const SearchSpace& space);

// At most `count` of them, drawn without replacement; their order is kept.
std::vector<Options> draw_candidates(std::vector<Options> candidates, std::size_t count,
                                     std::uint64_t seed);

// The candidates of a tuning: all of a grid, a draw otherwise.
std::vector<Options> candidates_of(const SearchSpace& space, const Tuning& tuning,
                                   std::uint64_t seed);

inline constexpr int kCut = 3;         // a rung keeps one candidate of three, and
inline constexpr int kAllEpochs = -1;  // a rung three times as long follows, the last to the end

// Successive halving: every candidate of a rung is measured after as many epochs, the best third
// goes on. With a single rung it is a plain search.
class Search {
 public:
  // The first cut keeps the best of every family before it keeps second bests: what starts slowly
  // (a high temperature) may end best. `families` has one number per candidate, or is empty.
  Search(std::size_t candidates, std::vector<int> rungs, std::vector<std::size_t> families = {});

  bool done() const { return rung_ == rungs_.size(); }
  int epochs() const { return rungs_[rung_]; }  // of the running rung, or kAllEpochs
  const std::vector<std::size_t>& running() const { return running_; }

  // The figures of running(), in its order; nothing for a candidate that failed or was not run: it
  // keeps its place on the rung before, if it had one.
  void report(const std::vector<std::optional<double>>& figures);

  struct Place {
    std::size_t candidate;
    std::size_t rung;              // the last it was measured on
    std::optional<double> figure;  // there
  };
  // Best first: by rung, then by figure, then by number. Failures come last.
  std::vector<Place> ranking() const;

 private:
  std::vector<std::size_t> survivors(std::size_t keep) const;
  std::vector<int> rungs_;
  std::vector<std::size_t> families_;
  std::size_t rung_ = 0;
  std::vector<std::size_t> running_;
  std::vector<Place> places_;  // by candidate
};

// {first, 3 first, to the end}, with rungs left out that are no shorter than `most` epochs or have
// no choice to make.
std::vector<int> halving_rungs(std::size_t candidates, int first, int most);

}  // namespace evenkeel::experiment
