// Everything about one run that needs its vectors. In: a loaded run and what the page shows; out:
// the JSON of web/src/data.ts, and each user's figures for comparisons.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "analysis/front.h"
#include "analysis/hard_pairs.h"
#include "base/threads.h"
#include "eval/evaluate.h"
#include "report/loaded_run.h"
#include "report/page_selection.h"
#include "report/run_record.h"
#include "train/extractor.h"

namespace evenkeel::report {

inline constexpr std::size_t kReportK = 20;

// NOLINTNEXTLINE(bugprone-exception-escape): to move a json value does not throw
struct RunDetail {
  nlohmann::json evaluations;  // with intervals where the data is there
  nlohmann::json exposure, geometry, margins, front, explore;
  nlohmann::json shown_json = nlohmann::json::array();  // `shown` of the items on the page
  std::vector<std::uint64_t> shown;      // by item of the page's data: lists that hold it; or empty
  std::vector<analysis::HardPair> hard;  // in rows of the page's data
  std::vector<eval::Evaluation> figures;  // by test
  std::vector<std::string> parts;         // their names
};

// The front is traced where axes are given.
RunDetail analyze_run(const RunRecord& run, const LoadedRun& loaded, PageSelection& selection,
                      const std::optional<analysis::FrontAxes>& axes, Threads& threads);

// The evaluations of result.json in the page's form: what is known without the model.
nlohmann::json recorded_evaluations(const nlohmann::json& result);

// The run's own popularity extractor; nothing where it has none that fits its data.
std::optional<train::ExtractorTables> extractor_of(const LoadedRun& loaded);

// Where a run ranks these pairs, from 1; empty where its rows cannot be matched.
std::vector<std::size_t> ranks_of(const std::vector<analysis::HardPair>& pairs,
                                  const LoadedRun& loaded, const data::Dataset& data,
                                  Threads& threads);

}  // namespace evenkeel::report
