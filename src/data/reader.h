// The reader contract. In: an open text file and the user's options; out: its interactions.
// A new format = one source with these two functions and one line in reader_registry.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/settings.h"
#include "base/threads.h"
#include "data/interactions.h"
#include "data/log_builder.h"
#include "data/text_file.h"

namespace evenkeel::data {

enum class Times { kIgnore, kIfPresent, kRequired };

// --half-life: "30d" is a time, "1000" so much in the unit of the log's own times.
struct HalfLife {
  double length = 0;
  bool in_seconds = false;
  friend bool operator==(const HalfLife&, const HalfLife&) = default;
};
HalfLife parse_half_life(std::string_view text);

struct ReadOptions {
  std::string format = "auto";                                       // a reader's name
  std::string user_column, item_column, rating_column, time_column;  // name or index; "": found
  std::string weight_column;                                         // the same; "": none is read
  std::optional<double> min_rating;                                  // keep rating >= this
  std::string separator = "auto";
  std::string header = "auto";  // auto, yes, no
  bool skip_bad_rows = false;
  Times times = Times::kIgnore;
  std::optional<HalfLife> half_life;  // a row counts half as much after so long
  bool lean_adjacency = false;        // of lines that could be a table as well: they are adjacency
  // For a model that exists: rows below min_rating keep users and items that occur nowhere else,
  // and there may be no other rows.
  bool all_seen = false;
  std::size_t piece_bytes = 0;  // 0: by thread count; tests set it small
};

ReadOptions read_options(const Settings& settings);
bool weighs_rows(const Settings& settings);  // --weight-column or --half-life is given

struct Reader {
  std::string_view name;
  std::string_view description;
  // By name and first lines; asked in table order.
  bool (*recognises)(const TextFile& file, const ReadOptions& options);
  void (*read)(const TextFile& file, const ReadOptions& options, Threads& threads, LogBuilder& log);
};

std::span<const Reader> readers();                 // the table, the catch-all last
const Reader& find_reader(std::string_view name);  // throws a config error with the candidates

// The reader that options.format names or, with auto, the first that recognises the file.
const Reader& pick_reader(const TextFile& file, const ReadOptions& options);

// Throws when reading `path` has left no pair: the file is empty, or nothing passes the filters.
void refuse_nothing(const std::string& path, const ReadOptions& options, const LogBuilder& log);

// Opens, picks the reader, reads, merges duplicates. Nothing left is a data error.
Interactions read_interactions(const std::string& path, const ReadOptions& options,
                               Threads& threads);

}  // namespace evenkeel::data
