// The page of results. In: folders that experiments wrote; out: one Markdown page, generated from
// table.json and cost.json alone.
#pragma once

#include <string>
#include <vector>

namespace evenkeel::experiment {

struct PageRequest {
  std::vector<std::string> folders;
  std::string tables;  // file of the paper's tables, which the page opens with; empty: none
  std::string below;   // Markdown file that ends the page, as it is; empty: none
};

// A folder without tables is a data error.
std::string results_page(const PageRequest& request);

}  // namespace evenkeel::experiment
