// In: files. Out: one folder of arrays.
#include "data/prepare.h"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/seconds.h"
#include "data/duplicates.h"
#include "data/kcore.h"
#include "data/options.h"
#include "data/prepared.h"
#include "data/prepared_writer.h"
#include "data/reader.h"
#include "data/renumber.h"
#include "data/spilled_log.h"
#include "data/split.h"
#include "data/value_text.h"

namespace evenkeel::data {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kSeenBlock = std::size_t{1} << 17;  // pairs

// A shell leaves a pattern alone that stands in quotes or matches nothing.
std::vector<std::string> expanded(const std::vector<std::string>& patterns) {
  std::vector<std::string> files;
  for (const std::string& pattern : patterns) {
    std::error_code ignored;
    glob_t found{};
    if (fs::exists(pattern, ignored) || ::glob(pattern.c_str(), 0, nullptr, &found) != 0) {
      files.push_back(pattern);  // what does not exist is told by who opens it
    } else {
      files.insert(files.end(), found.gl_pathv, found.gl_pathv + found.gl_pathc);
    }
    ::globfree(&found);
  }
  return files;
}

// What pairs take while they are prepared: themselves, their times and what is dealt out at a time
// to find repeats; several copies of them where they are filtered or cut.
std::uint64_t memory_for(std::uint64_t pairs, bool times, bool whole) {
  if (!whole) return pairs * 32;
  return pairs * (times ? 16 : 8) + std::min(pairs * 8, std::uint64_t{1} << 30);
}

// Takes pairs away to disk once there are more than memory allows.
class Spill {
 public:
  Spill(std::uint64_t memory, bool whole, std::string folder)
      : memory_(memory), whole_(whole), folder_(std::move(folder)) {}

  void operator()(LogBuilder& log) {
    const bool times = !log.times.empty();
    const std::uint64_t pairs = log.pairs.size() + log.seen.size();
    if (!log_ && memory_for(pairs, times, whole_) <= memory_) return;
    if (!log_) log_.emplace(folder_, kShares, times);
    log_->append(log.pairs, log.times);
    log.pairs.clear();
    log.times.clear();
    if (log.seen.empty()) return;
    if (!seen_) seen_.emplace(folder_ + "/spill.seen");
    seen_->append(log.seen.data(), log.seen.size() * sizeof(Pair));
    log.seen.clear();
  }
  bool used() const { return log_.has_value(); }
  SpilledLog& log() { return *log_; }
  std::optional<SpillFile>& seen() { return seen_; }

 private:
  static constexpr std::size_t kShares = 128;
  std::uint64_t memory_;
  bool whole_;
  std::string folder_;
  std::optional<SpilledLog> log_;
  std::optional<SpillFile> seen_;  // rows below --min-rating
};

// File after file into one log; ids go on from one to the next, and so do unclear lines.
void read_files(const std::vector<std::string>& files, ReadOptions options, Threads& threads,
                LogBuilder& log) {
  for (const std::string& path : files) {
    const TextFile file(path);
    if (file.text().empty()) fail_data("{}: the file is empty; it must hold interactions", path);
    const Reader& reader = pick_reader(file, options);
    reader.read(file, options, threads, log);
    options.lean_adjacency = reader.name == "adjacency";
  }
  refuse_nothing(files.front(), options, log);
}

json manifest_of(const std::string& name, const Settings& settings, const PrepareRequest& request,
                 const std::vector<std::string>& files) {
  json options = json::object();
  for (const Field& field : reading_fields()) {
    options[std::string(field.name)] = plain_text(settings.value(field.name));
  }
  if (settings.integer("k-core") > 0 || request.split) {
    options["k-core"] = plain_text(settings.value("k-core"));
  }
  if (request.split) {
    for (const char* name_of : {"split", "seed"}) {
      options[name_of] = plain_text(settings.value(name_of));
    }
  }
  json sources = json::array();
  for (const std::string& file : files) sources.push_back(fs::path(file).filename().string());
  return {{"name", name},       {"split", request.split}, {"times", false}, {"options", options},
          {"sources", sources}, {"parts", json::array()}, {"lines", 0U}};
}

template <typename Ids>
void write_ids(const Ids& users, const Ids& items, PreparedWriter& writer, json& manifest) {
  writer.add_ids("users", users.bytes(), users.offsets());
  writer.add_ids("items", items.bytes(), items.offsets());
  manifest["users"] = users.size();
  manifest["items"] = items.size();
}

template <typename T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

void write_seen(const std::vector<Pair>& seen, PreparedWriter& writer) {
  if (!seen.empty()) writer.add(kSeenPairs, bytes_of(std::span(seen)));
}

void write_parts(const Dataset& data, PreparedWriter& writer, json& manifest) {
  write_ids(data.users, data.items, writer, manifest);
  std::uint64_t total = data.interactions() + data.valid.interactions();
  manifest["parts"] = {"train", kValidName};
  writer.add_rows("train", data.items_of);
  writer.add_rows("train.by-item", data.users_of);
  writer.add_rows(std::string(kValidName), data.valid.items_of);
  for (const Part& test : data.tests) {
    manifest["parts"].push_back(test.name);
    writer.add_rows(test.name, test.items_of);
    total += test.interactions();
  }
  manifest["interactions"] = total;
  if (data.seen.size() > 0) writer.add_rows(std::string(kSeenName), data.seen);
}

void write_pairs(std::span<const Pair> pairs, std::span<const double> times, PreparedWriter& writer,
                 json& manifest) {
  writer.add("log.pairs", bytes_of(pairs));
  if (!times.empty()) writer.add("log.times", bytes_of(times));
  manifest["times"] = !times.empty();
  manifest["interactions"] = pairs.size();
}

template <typename T>
void write_kept_values(const std::string& name, const KeptRows& kept, std::span<const T> values,
                       PreparedWriter& writer) {
  static_assert(kChecksumBlock % sizeof(T) == 0, "a block holds whole values");
  writer.add(name, kept.size() * sizeof(T), [&](std::uint64_t offset, std::span<char> block) {
    kept.copy(values, offset / sizeof(T),
              std::span(reinterpret_cast<T*>(block.data()), block.size() / sizeof(T)));
  });
}

// The same without the rows that are marked as repeated.
void write_kept(std::span<const Pair> pairs, std::span<const double> times, Threads& threads,
                PreparedWriter& writer, json& manifest) {
  const KeptRows kept(pairs, threads);
  write_kept_values("log.pairs", kept, pairs, writer);
  if (!times.empty()) write_kept_values("log.times", kept, times, writer);
  manifest["times"] = !times.empty();
  manifest["interactions"] = kept.size();
}

// The same from disk to disk.
void write_spilled(SpilledLog& log, PreparedWriter& writer, json& manifest) {
  std::uint64_t count = 0;
  writer.add("log.pairs", [&](PreparedWriter::Append append) {
    log.each_block([&](std::span<const Pair> pairs, std::span<const double>) {
      append(bytes_of(pairs));
      count += pairs.size();
    });
  });
  if (log.has_times()) {
    writer.add("log.times", [&](PreparedWriter::Append append) {
      log.each_block(
          [&](std::span<const Pair>, std::span<const double> times) { append(bytes_of(times)); });
    });
  }
  manifest["times"] = log.has_times();
  manifest["interactions"] = count;
}

// The same with rows below --min-rating, whose users and items may have no row of their own. The
// first pass over the log numbers the others.
void write_spilled_and_seen(Spill& spill, LogBuilder& log, PreparedWriter& writer, json& manifest) {
  RenumberPairs renumber(log.users, log.items);
  std::uint64_t count = 0;
  writer.add("log.pairs", [&](PreparedWriter::Append append) {
    std::vector<Pair> now;
    spill.log().each_block([&](std::span<const Pair> pairs, std::span<const double>) {
      now.clear();
      for (const Pair& pair : pairs) now.push_back(renumber(pair));
      append(bytes_of(std::span<const Pair>(now)));
      count += pairs.size();
    });
  });
  if (spill.log().has_times()) {
    writer.add("log.times", [&](PreparedWriter::Append append) {
      spill.log().each_block(
          [&](std::span<const Pair>, std::span<const double> times) { append(bytes_of(times)); });
    });
  }
  writer.add(kSeenPairs, [&](PreparedWriter::Append append) {
    std::vector<Pair> block(kSeenBlock), now;
    spill.seen()->rewind();
    while (const std::size_t bytes = spill.seen()->read(block.data(), kSeenBlock * sizeof(Pair))) {
      now.clear();
      for (const Pair& pair : std::span(block).first(bytes / sizeof(Pair))) {
        if (const auto known = renumber.known(pair)) now.push_back(*known);
      }
      append(bytes_of(std::span<const Pair>(now)));
    }
  });
  manifest["times"] = spill.log().has_times();
  manifest["interactions"] = count;
  write_ids(renumber.users.ids(), renumber.items.ids(), writer, manifest);
}

// One command: how the files are read and what becomes of their log.
class Preparation {
 public:
  Preparation(const PrepareRequest& request, const std::vector<std::string>& files,
              const Settings& settings, Threads& threads)
      : request_(request),
        files_(files),
        settings_(settings),
        threads_(threads),
        protocol_(find_protocol(settings.text("split"))),
        name_(files.size() == 1 ? data_name(files[0]) : stem_of(request.out)),
        manifest_(manifest_of(name_, settings, request, files)),
        options_(read_options(settings)),
        writer_(request.out, threads) {
    options_.times = request.split   ? protocol_.times
                     : request.times ? Times::kRequired
                                     : Times::kIgnore;
  }

  PrepareOutcome run() {
    if (files_.size() == 1 && is_prepared(files_[0])) {
      write(load_prepared_log(files_[0], options_, threads_));
    } else {
      read_and_write();
    }
    outcome_.users = manifest_["users"].get<std::uint64_t>();
    outcome_.items = manifest_["items"].get<std::uint64_t>();
    outcome_.interactions = manifest_["interactions"].get<std::uint64_t>();
    outcome_.bytes = writer_.bytes();
    manifest_["lines"] = outcome_.report.read.lines;
    writer_.commit(std::move(manifest_));
    return std::move(outcome_);
  }

 private:
  void read_and_write() {
    LogBuilder log(threads_);
    const bool whole = !request_.split && settings_.integer("k-core") <= 1;
    Spill spill(request_.memory, whole, writer_.place());
    log.drain = std::ref(spill);
    read_files(files_, options_, threads_, log);
    log.users.release_slots();
    log.items.release_slots();
    spill(log);
    if (spill.used()) {
      if (!whole) refuse_large(log.read);
      log.report.duplicates += spill.log().find_repeats(log.users.size(), log.items.size());
      if (spill.seen()) {
        write_spilled_and_seen(spill, log, writer_, manifest_);
        return account(manifest_["users"], manifest_["items"], std::move(log.report));
      }
      write_spilled(spill.log(), writer_, manifest_);
    } else if (!whole || !log.seen.empty()) {
      log.report.duplicates +=
          merge_duplicates(log.pairs, log.times, log.users.size(), log.items.size(), threads_);
      Interactions taken = log.take(threads_);
      number_without_seen(taken, std::array{&taken.pairs});
      return write(std::move(taken));
    } else {
      log.report.duplicates +=
          mark_duplicates(log.pairs, log.times, log.users.size(), log.items.size(), threads_);
      write_kept(log.pairs, log.times, threads_, writer_, manifest_);
    }
    write_ids(log.users, log.items, writer_, manifest_);
    account(log.users.size(), log.items.size(), std::move(log.report));
  }

  void write(Interactions log) {
    account(log.users.size(), log.items.size(), std::move(log.report));
    outcome_.report.read_interactions = log.pairs.size();
    filter_k_core(log, settings_.integer("k-core"));
    if (request_.split) {
      const auto seed = static_cast<std::uint64_t>(settings_.integer("seed"));
      write_parts(make_dataset(cut(name_, log, protocol_.split(log, seed))), writer_, manifest_);
      return;
    }
    write_ids(log.users, log.items, writer_, manifest_);
    write_pairs(log.pairs, log.times, writer_, manifest_);
    write_seen(log.seen, writer_);
  }

  void account(std::size_t users, std::size_t items, ReadReport report) {
    outcome_.report.read_users = users;
    outcome_.report.read_items = items;
    outcome_.report.read = std::move(report);
  }

  // Filters and splits look at the whole log.
  [[noreturn]] void refuse_large(std::uint64_t pairs) const {
    fail_config(
        "--{} needs all {} interactions in memory, and --memory allows {} MB; give at least {}M, "
        "or prepare without it and cut when training",
        request_.split ? "split" : "k-core", pairs, request_.memory >> 20,
        (memory_for(pairs, false, false) >> 20) + 1);
  }

  const PrepareRequest& request_;
  const std::vector<std::string>& files_;
  const Settings& settings_;
  Threads& threads_;
  const SplitProtocol& protocol_;
  std::string name_;
  json manifest_;
  ReadOptions options_;
  PreparedWriter writer_;
  PrepareOutcome outcome_;
};

}  // namespace

PrepareOutcome prepare(const PrepareRequest& request, const Settings& given, Threads& threads) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<std::string> files = expanded(request.files);
  const Settings settings = files.size() == 1 ? data_settings(files[0], given) : given;
  PrepareOutcome outcome = Preparation(request, files, settings, threads).run();
  if (outcome.report.read_interactions == 0) {
    outcome.report.read_interactions = outcome.interactions;
  }
  outcome.report.read.seconds = seconds_since(start);
  return outcome;
}

}  // namespace evenkeel::data
