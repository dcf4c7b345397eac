// The split contract. In: a log and a seed; out: the part of every interaction. A pure function,
// and disjoint by construction. A new protocol = one function and one line in split_registry.cpp.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "base/settings.h"
#include "base/threads.h"
#include "data/load.h"
#include "data/parts.h"
#include "data/reader.h"

namespace evenkeel::data {

struct SplitProtocol {
  std::string_view name;
  std::string_view description;
  Times times;  // whether the log's times are read
  SplitPlan (*split)(const Interactions& log, std::uint64_t seed);
};

inline constexpr std::string_view kRandomSplit = "random";
inline constexpr std::string_view kNoSplit = "none";  // everything trains, nothing is held out

std::span<const SplitProtocol> split_protocols();
const SplitProtocol& find_protocol(std::string_view name);  // config error with the candidates

SplitPlan split_random(const Interactions& log, std::uint64_t seed);  // 80 : 10 : 10
// The same with this share for validation, taken from train: the test stays a tenth.
SplitPlan split_random(const Interactions& log, std::uint64_t seed, double validation);
SplitPlan split_balanced(const Interactions& log, std::uint64_t seed);  // 60 : 10 : 15 + 15
SplitPlan split_temporal(const Interactions& log, std::uint64_t seed);  // 7 : 1 : 2
SplitPlan split_leave_one_out(const Interactions& log, std::uint64_t seed);
SplitPlan split_none(const Interactions& log, std::uint64_t seed);

// As `seed` says and, for a random split, `validation`, if the settings have it.
SplitPlan split_as_asked(const SplitProtocol& protocol, const Interactions& log,
                         const Settings& settings);

// A log that is cut by another protocol has a validation part of that protocol's size: a config
// error where `validation` asks for another.
void refuse_validation(const Settings& settings);

// Reads, k-cores and cuts one interactions file as the settings say.
Parts read_and_split(const std::string& file, const Settings& settings, Threads& threads,
                     LoadReport& report);

struct SplitOutcome {
  Dataset data;
  nlohmann::json manifest;
  LoadReport report;
};

// The same, written to the folder `out`.
SplitOutcome split_file(const std::string& file, const std::string& out, const Settings& settings,
                        Threads& threads);

}  // namespace evenkeel::data
