// An experiment as plain structs. In: a TOML file (docs/experiments.md); out: data sets, encoders,
// methods with their search spaces, seeds, or a sentence about the line that is wrong.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/settings.h"

namespace evenkeel::experiment {

struct Option {
  std::string name;
  Value value;
};
using Options = std::vector<Option>;

struct SearchAxis {
  std::string name;
  std::vector<Value> values;
};
using SearchSpace = std::vector<SearchAxis>;

struct DataPlan {
  std::string name;
  std::string path;                // relative to the data root, or absolute
  Options split;                   // how a file, or a folder's parts together, are cut
  bool cut_by_runs = false;        // or every run cuts it for itself, as `options` say
  Options options;                 // of every run on it
  std::vector<std::string> tests;  // empty: all there are
};

struct EncoderPlan {
  std::string name;
  Options options;
};

struct MethodPlan {
  std::string name;
  Options options;
  SearchSpace search;                       // empty: nothing to tune
  bool ours = false;                        // the rows that are compared with the rest
  std::vector<std::string> data, encoders;  // where it takes part; empty: everywhere
};

enum class TuningKind { kGrid, kRandom, kHalving };

struct Tuning {
  TuningKind kind = TuningKind::kGrid;
  std::size_t candidates = 27;  // at most; the grid is taken whole
  int first_epochs = 0;         // of halving's first rung; 0: so many that it has
  int first_validations = 6;    // this number of validations
  bool keep_tables = false;     // of tuning runs, to go on from the best
  bool refit = false;           // final runs train on the held-out part, too
};

struct PaperFigure {
  std::string data, encoder, method, test;
  double recall = 0, ndcg = 0;
};

struct Plan {
  std::string file;  // as given
  std::string title, reproduces, duration, notes;
  std::string data_root;
  std::vector<std::uint64_t> seeds{1, 2, 3, 4, 5};
  std::uint64_t tuning_seed = 1;
  std::size_t k = 20;
  Tuning tuning;
  Options common;
  std::vector<DataPlan> data;
  std::vector<EncoderPlan> encoders;
  std::vector<MethodPlan> methods;
  std::vector<PaperFigure> paper;
};

Plan read_plan(const std::string& path);

// The plan with these data sets and encoders alone (of a kind that no name is of, all stay). A name
// that is neither is a config error.
Plan only_these(Plan plan, const std::vector<std::string>& names);

// One tuned row of the table, and the settings of its runs: common, then data, encoder, method and
// candidate, the later winning.
struct Cell {
  const DataPlan* data;
  const EncoderPlan* encoder;
  const MethodPlan* method;
};
std::vector<Cell> cells_of(const Plan& plan, const DataPlan& data, const EncoderPlan& encoder);
Settings settings_of(const Plan& plan, const Cell& cell, const Options& candidate,
                     std::uint64_t seed);

std::string options_text(const Options& options);  // "tau 0.1, lr 0.001"

}  // namespace evenkeel::experiment
