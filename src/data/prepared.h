// Prepared data on disk (docs/formats.md). In: a folder that `evenkeel prepare` wrote; out: the log
// or the data set it holds, byte for byte what its text gives. Every file is checked against its
// size when the folder is opened, and against its checksum when it is read.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "base/settings.h"
#include "base/threads.h"
#include "data/dataset.h"
#include "data/interactions.h"
#include "data/reader.h"
#include "data/whole_folder.h"

namespace evenkeel::data {

inline constexpr FolderKind kPreparedKind{"prepared.json", "evenkeel-prepared", "prepare"};
inline constexpr int kPreparedVersion = 1;
inline constexpr const char* kSeenPairs = "log.seen";  // may be missing (Interactions::seen)

struct PreparedArray {
  std::uint64_t bytes = 0;
  std::string checksum;
};

struct Prepared {
  std::string folder;
  std::string name;                            // of the data: the stem of its file
  bool split = false;                          // cut into parts; otherwise a log in file order
  bool times = false;                          // of a log
  std::map<std::string, std::string> options;  // how it was read and, if it was, cut
  std::vector<std::string> parts;              // of split data: train, valid, tests
  std::uint64_t users = 0, items = 0, interactions = 0, lines = 0;
  std::map<std::string, PreparedArray> arrays;
};

bool is_prepared(const std::string& path);  // a folder with such a manifest, whole or damaged
Prepared open_prepared(const std::string& folder);

// Options of reading that were set must be those it was prepared with.
Interactions load_prepared_log(const std::string& folder, const ReadOptions& options,
                               Threads& threads);
Dataset load_prepared_parts(const Prepared& prepared, Threads& threads);

// Adds the options that the data was prepared with to the settings of who uses it. Another value
// that was set is a config error: what is prepared cannot be read differently.
Settings data_settings(const std::string& path, const Settings& settings);

// The options that data was prepared with; none of any other data.
std::map<std::string, std::string> prepared_options(const std::string& path);

// What data is called: the stem of its file, or of the file it was prepared from.
std::string data_name(const std::string& path);
std::string stem_of(const std::string& path);  // "log" of "a/log.csv.gz"

// Parts that exist already and stay what they are: a folder of them, or prepared data that is cut.
bool is_split_already(const std::string& path);
// A file, or what was prepared from files, cut or not: how it was cut is known.
bool comes_from_log(const std::string& path);

// Of blocks, each hashed by whichever thread is free: the hash of the hashes.
inline constexpr std::size_t kChecksumBlock = std::size_t{4} << 20;
// block(begin, end) gives the bytes of each block.
std::string checksum_of(std::uint64_t bytes,
                        FunctionRef<std::string_view(std::size_t, std::size_t)> block,
                        Threads& threads);
std::string checksum_of(nlohmann::json manifest);  // guards the files, and is guarded itself

}  // namespace evenkeel::data
