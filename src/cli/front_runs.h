// Runs whose fronts stand side by side. In: paths and curves; out: lines of runs that differ in the
// seed alone, all of one data set, or a sentence about those that cannot be compared.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/front_comparison.h"
#include "base/threads.h"
#include "model/model.h"

namespace evenkeel::cli {

// A line of the table: runs that differ in the seed alone, along one curve.
struct FrontLine {
  std::string label;
  std::vector<std::string> folders;
  analysis::FrontCurve curve;
};

class FrontRuns {
 public:
  // Says which runs it leaves out. A data error for runs of several data sets, for methods that
  // were never tested on the same pairs, and when no line remains.
  FrontRuns(const std::vector<std::string>& paths, const std::vector<analysis::FrontCurve>& curves,
            Threads& threads);

  const std::vector<FrontLine>& lines() const { return lines_; }
  const analysis::FrontAxes& axes() const { return axes_; }
  const data::Ids& users() const { return users_; }  // of the first run: the others have the same
  model::Model load(const std::string& folder) const;
  const std::vector<bool>& paired(std::size_t line) const { return pairs_.paired[line]; }

 private:
  struct Seen {
    std::optional<double> temperature;
    std::uint64_t test = 0;  // of the pairs on the balanced axis
  };
  void look_at(const std::string& folder, Threads& threads);
  void pair_lines();

  std::vector<FrontLine> lines_;
  std::string first_;  // a run, by which the others are judged
  analysis::FrontAxes axes_;
  analysis::SeedPairs pairs_;
  data::Ids users_, items_;
  std::map<std::string, Seen> seen_;  // by folder
};

}  // namespace evenkeel::cli
