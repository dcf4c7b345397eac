// What became of the paper's tables. In: a file that names them and the blocks each needs, and the
// tables of finished experiments; out: the first screen of the page of results.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace evenkeel::experiment {

struct PaperTable {
  struct Block {
    std::string data, encoder, test;
  };
  std::string name;
  std::string folder;                    // of experiments/
  std::vector<std::string> experiments;  // their titles; figures of others do not count
  std::string why;                       // what keeps it from being the paper's own, in plain words
  double hours = 0;                      // of all of it, an estimate
  std::vector<Block> blocks;
};

std::vector<PaperTable> read_paper_tables(const std::string& path);

// One line a table: how many of its blocks are run and how BC loss stands there, its figures, the
// paper's and the best baseline's. The verdict is computed, never written by hand: ahead or behind
// where Holm's p of the t-test on Recall is below 0.05, equal otherwise.
std::string paper_screen(const std::vector<PaperTable>& tables,
                         std::span<const nlohmann::json> results);

}  // namespace evenkeel::experiment
