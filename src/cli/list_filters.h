// What lists leave out or keep to, as commands take it. In: --only, --exclude, --seen and --titles;
// out: rows of the model and titles; ids that the model does not know are told and ignored.
#pragma once

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

#include "base/threads.h"
#include "cli/option_binding.h"
#include "data/csr.h"
#include "data/titles.h"
#include "model/model.h"

namespace evenkeel::cli {

struct FilterOptions {
  FilterOptions();
  BoundOptions reading;  // of --seen
  std::string only, exclude, seen;
  void add_to(CLI::App& app);
};

struct Filters {
  std::optional<std::vector<Row>> only;  // ascending
  std::vector<Row> exclude;              // ascending
  data::Csr seen;                        // by user row of the model; empty without --seen
  // `base` with what is left out for this user as well; ascending.
  std::vector<Row> masked(std::vector<Row> base, std::optional<Row> user) const;
};

Filters read_filters(const FilterOptions& options, const model::Model& model, Threads& threads);

// Rows of items, ascending and each once; those that are unknown are told on stderr, `what` names
// where they came from.
std::vector<Row> known_items(const model::Model& model, const std::vector<std::string>& ids,
                             const std::string& what);

// --titles FILE
void add_titles(CLI::App& app, std::string& path);
data::Titles load_titles(const std::string& path, const model::Model& model);

}  // namespace evenkeel::cli
