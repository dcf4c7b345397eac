// In: a format's name or a file. Out: the reader for it, and what it read.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "base/seconds.h"
#include "data/adjacency.h"
#include "data/delimited.h"
#include "data/duplicates.h"
#include "data/json_lines.h"
#include "data/prepared.h"
#include "data/reader.h"

namespace evenkeel::data {

std::span<const Reader> readers() {
  static constexpr std::array<Reader, 4> kTable{{
      {"jsonl", R"(JSON lines: an object on each line, {"user": ..., "item": ...})",
       recognises_json_lines, read_json_lines},
      {"inter", "RecBole .inter: tabs, header with types (user_id:token)", recognises_inter,
       read_inter},
      {"adjacency", "`user item item ...` on each line, blanks between", recognises_adjacency,
       read_adjacency},
      {"delimited", "CSV, TSV, ::, ; or | tables, with or without header", recognises_delimited,
       read_delimited},
  }};
  return kTable;
}

const Reader& find_reader(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Reader& reader : readers()) {
    if (reader.name == name) return reader;
    names.push_back(reader.name);
  }
  fail_config("{}", unknown_name("format", name, names));
}

const Reader& pick_reader(const TextFile& file, const ReadOptions& options) {
  if (options.format != "auto") return find_reader(options.format);
  for (const Reader& reader : readers()) {
    if (reader.recognises(file, options)) return reader;
  }
  return readers().back();
}

void refuse_nothing(const std::string& path, const ReadOptions& options, const LogBuilder& log) {
  if (log.read > 0 || (options.all_seen && !log.seen.empty())) return;
  if (log.report.below_threshold > 0) {
    fail_data("{}: none of the {} rated rows reaches --min-rating {}; lower it", path,
              log.report.below_threshold, options.min_rating.value_or(0));
  }
  fail_data("{}: no interactions in {} lines ({} bad rows); check the file and --format", path,
            log.report.lines, log.report.bad_rows);
}

namespace {

// Times of 12 digits and more are counted in milliseconds, of 15 and more in microseconds.
double units_of_second(double newest) {
  return newest >= 1e14 ? 1e6 : newest >= 1e11 ? 1e3 : 1.0;
}

// Rows weigh what their column says, halved for each half-life that they are older than the newest.
void weigh_rows(const std::string& path, const ReadOptions& options, Interactions& log) {
  if (!options.weight_column.empty() && log.weights.size() != log.pairs.size()) {
    fail_config("--weight-column is {}, but {} has no such column; give a table",
                options.weight_column, path);
  }
  if (options.half_life) {
    if (log.times.size() != log.pairs.size()) {
      fail_config("--half-life needs a time in every row, and {} has none; give a table with one",
                  path);
    }
    const double newest = *std::max_element(log.times.begin(), log.times.end());
    const HalfLife& half = *options.half_life;
    const double length = half.length * (half.in_seconds ? units_of_second(newest) : 1.0);
    log.weights.resize(log.pairs.size(), 1.0F);
    for (std::size_t n = 0; n < log.weights.size(); ++n) {
      log.weights[n] *= static_cast<float>(std::exp2((log.times[n] - newest) / length));
    }
  }
  const auto counts = [](float weight) { return weight > 0; };
  if (!log.weights.empty() && std::none_of(log.weights.begin(), log.weights.end(), counts)) {
    fail_data("{}: every weight in column {} is 0; give some row a larger one", path,
              log.report.columns.weight);
  }
}

}  // namespace

Interactions read_interactions(const std::string& path, const ReadOptions& options,
                               Threads& threads) {
  const auto start = std::chrono::steady_clock::now();
  if (is_prepared(path)) {
    Interactions log = load_prepared_log(path, options, threads);
    log.report.seconds = seconds_since(start);
    return log;
  }
  const TextFile file(path);
  if (file.text().empty()) {
    fail_data("{}: the file is empty; it must hold interactions", file.path());
  }
  LogBuilder builder(threads);
  pick_reader(file, options).read(file, options, threads, builder);
  refuse_nothing(file.path(), options, builder);
  Interactions log = builder.take(threads);
  number_without_seen(log, std::array{&log.pairs}, options.all_seen);
  log.report.seconds = seconds_since(start);
  if (log.pairs.empty()) return log;  // there are only rows below --min-rating
  weigh_rows(path, options, log);
  // A repeat says again what the pair weighs; its age alone is that of the newest row.
  merge_duplicates(log, threads,
                   options.weight_column.empty() ? RepeatWeights::kLargest : RepeatWeights::kAdd);
  return log;
}

}  // namespace evenkeel::data
