// In: a folder of parts. Out: a data set whose rows are numbered over train, valid, tests.
#include "data/folder.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/error.h"
#include "data/duplicates.h"
#include "data/id_map.h"

namespace evenkeel::data {
namespace {

namespace fs = std::filesystem;

// What a part may be called behind its stem. Those that `split` writes end in the first.
constexpr std::array<std::string_view, 7> kEndings{".txt", ".csv",   ".tsv",   ".inter",
                                                   ".dat", ".jsonl", ".ndjson"};
constexpr std::array<std::string_view, 3> kPacked{"", ".zst", ".gz"};

struct PartFile {
  std::string stem, name, path;  // of train.csv.gz: train, train.csv, where it lies
  std::size_t packing = 0;       // in kPacked, the plain file first
};

// A file that may be a part by its ending; no stem where it is none.
PartFile named_file(const fs::path& path) {
  PartFile part;
  part.path = path.string();
  part.name = path.filename().string();
  for (std::size_t n = 1; n < kPacked.size(); ++n) {
    if (!part.name.ends_with(kPacked[n])) continue;
    part.name.resize(part.name.size() - kPacked[n].size());
    part.packing = n;
    break;
  }
  for (const std::string_view ending : kEndings) {
    if (!part.name.ends_with(ending)) continue;
    part.stem = part.name.substr(0, part.name.size() - ending.size());
    break;
  }
  return part;
}

std::optional<PartFile> part_file(const fs::path& path) {
  PartFile part = named_file(path);
  const bool known = part.stem == "train" || part.stem == "valid" ||
                     part.stem.starts_with("test") || part.stem == kSeenName;
  return known ? std::optional(std::move(part)) : std::nullopt;
}

// By stem. A plain file wins over a packed copy of itself; two files of different names for one
// part would leave open which of them counts. `texts`: of .txt files only.
std::map<std::string, PartFile> part_files(const std::string& folder, bool texts) {
  std::set<fs::path> paths;  // in the same order everywhere
  std::error_code failure;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failure)) {
    std::error_code ignored;
    if (!entry.is_directory(ignored)) paths.insert(entry.path());
  }
  if (failure) fail_data("{}: cannot list the folder ({})", folder, failure.message());
  std::map<std::string, PartFile> parts;
  for (const fs::path& path : paths) {
    auto part = part_file(path);
    if (!part || (texts && !part->name.ends_with(kEndings[0]))) continue;
    if (!texts && part->stem == kSeenName) continue;
    const auto [known, fresh] = parts.emplace(part->stem, *part);
    if (fresh) continue;
    if (known->second.name != part->name) {
      fail_data("{} and {} are both part {}; keep one of them", known->second.path, part->path,
                part->stem);
    }
    if (part->packing < known->second.packing) known->second = std::move(*part);
  }
  return parts;
}

std::string lower_case(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

// The part that a file which is none may be meant for: Test_ID.txt, validation.csv, val.tsv.gz.
struct LookAlike {
  std::string part;   // what it would have to be called
  bool sure = false;  // no other meaning comes to mind
};

std::optional<LookAlike> look_alike(const std::string& stem) {
  const std::string lower = lower_case(stem);
  const auto begins = [&](std::string_view word) { return lower.starts_with(word); };
  if (stem != lower && (lower == "train" || lower == "valid" || begins("test"))) {
    return LookAlike{lower, true};
  }
  if (lower == "validation" || lower == "val") return LookAlike{"valid", true};
  if (lower == "training") return LookAlike{"train", true};
  if (stem == "valid") return std::nullopt;
  if (begins("valid") || begins("val_") || begins("val-")) return LookAlike{"valid", false};
  return std::nullopt;
}

// Part files under other names: an error where their part is missing, else told and left alone.
void check_look_alikes(const std::string& folder, const std::map<std::string, PartFile>& parts,
                       std::vector<std::string>& told) {
  std::set<fs::path> paths;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (!entry.is_directory(ignored)) paths.insert(entry.path());
  }
  for (const fs::path& path : paths) {
    const PartFile file = named_file(path);
    const auto like = file.stem.empty() ? std::nullopt : look_alike(file.stem);
    if (!like) continue;
    if (like->sure && !parts.contains(like->part)) {
      fail_data("{}: a part of this name is called {}.*; rename it, or move it elsewhere",
                file.path, like->part);
    }
    told.push_back(fmt::format("{} is not read: a part is called {}.*", file.path, like->part));
  }
}

// The only file of the folder, or what to give in its place.
std::string file_to_give(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code failure;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failure)) {
    if (entry.is_regular_file(failure)) files.push_back(entry.path().string());
  }
  return files.size() == 1 ? files[0] : "one interactions file";
}

// A folder that `split` wrote holds row numbers, and the ids beside them.
struct IdMaps {
  Ids users, items;
};

std::optional<IdMaps> read_id_maps(const std::string& folder) {
  const std::string users_file = (fs::path(folder) / "users.csv").string();
  const std::string items_file = (fs::path(folder) / "items.csv").string();
  auto users = read_id_map(users_file), items = read_id_map(items_file);
  if (!users && !items) return std::nullopt;
  if (!users || !items) {
    fail_data("{}: there is no id map `row,id` in this file, but one in {}; write the split again",
              users ? items_file : users_file, users ? users_file : items_file);
  }
  return IdMaps{std::move(*users), std::move(*items)};
}

// Reads part after part; ids go on from one to the next.
class PartReader {
 public:
  PartReader(const ReadOptions& options, Threads& threads)
      : options_(options), threads_(threads), log_(threads) {}

  // The first part, which tells what unclear lines of the others are.
  std::vector<Pair> train(const PartFile& part) {
    const TextFile file(part.path);
    if (file.text().find_first_not_of(" \t\r\n") == std::string_view::npos) {
      fail_data("{}: the file is empty; it must hold interactions", part.path);
    }
    options_.lean_adjacency = part.name.ends_with(kEndings[0]);
    options_.lean_adjacency = read(file, part) == "adjacency";
    refuse_nothing(part.path, options_, log_);
    return take_pairs();
  }

  std::vector<Pair> other(const PartFile& part) {
    const TextFile file(part.path);
    if (file.text().find_first_not_of(" \t\r\n") == std::string_view::npos) return {};
    read(file, part);
    return take_pairs();
  }

  // The log's ids and account; its pairs are those of the last part.
  Interactions finish() {
    const std::string& format = formats_.front().second;
    const bool same = std::all_of(formats_.begin(), formats_.end(),
                                  [&](const auto& part) { return part.second == format; });
    std::string all = same ? format : "";
    for (std::size_t n = 0; !same && n < formats_.size(); ++n) {
      all += fmt::format("{}{}: {}", n == 0 ? "" : "; ", formats_[n].first, formats_[n].second);
    }
    log_.report.format = std::move(all);
    return log_.take(threads_);
  }

 private:
  std::string_view read(const TextFile& file, const PartFile& part) {
    const Reader& reader = pick_reader(file, options_);
    reader.read(file, options_, threads_, log_);
    formats_.emplace_back(part.name, log_.report.format);
    return reader.name;
  }
  std::vector<Pair> take_pairs() {
    log_.report.duplicates +=
        merge_duplicates(log_.pairs, log_.times, log_.users.size(), log_.items.size(), threads_);
    return std::exchange(log_.pairs, {});
  }

  ReadOptions options_;
  Threads& threads_;
  LogBuilder log_;
  std::vector<std::pair<std::string, std::string>> formats_;  // of each part
};

std::string folder_name(const std::string& folder) {
  fs::path path(folder);
  if (!path.has_filename()) path = path.parent_path();
  return path.filename().string();
}

}  // namespace

bool is_file_of_parts(const std::string& path) {
  const std::string name = fs::path(path).filename().string();
  return part_file(path).has_value() || name == "users.csv" || name == "items.csv" ||
         name == "manifest.json";
}

Dataset load_folder(const std::string& folder, const ReadOptions& options, Threads& threads,
                    LoadReport& report) {
  const auto maps = read_id_maps(folder);
  const auto parts = part_files(folder, maps.has_value());
  std::vector<std::string> look_alikes;
  check_look_alikes(folder, parts, look_alikes);
  const auto first = parts.find("train");
  if (first == parts.end()) {
    const auto holds = [&](const char* name) { return fs::exists(fs::path(folder) / name); };
    if (holds("config.toml") && (holds("events.jsonl") || holds("model.safetensors"))) {
      fail_data(
          "{}: this is a run folder, not data; give what it was trained on, a folder of parts "
          "or an interactions file",
          folder);
    }
    fail_data(
        "{}: the folder has no train.txt (nor train.csv, .tsv, .inter, .dat, .jsonl or .ndjson, "
        "plain, .gz or .zst); give a folder of parts or {}",
        folder, file_to_give(folder));
  }
  ReadOptions how = options;
  if (maps) {
    if (how.format != "auto" && how.format != "adjacency") {
      fail_config(
          "--format is {}, but {} is a folder that split wrote, whose parts are adjacency; "
          "leave it out",
          how.format, folder);
    }
    how.format = "adjacency";
  }
  PartReader reader(how, threads);
  std::vector<Pair> train = reader.train(first->second);
  std::vector<Pair> valid;
  if (const auto part = parts.find("valid"); part != parts.end())
    valid = reader.other(part->second);
  std::vector<NamedPairs> tests;
  std::size_t total = train.size() + valid.size();
  for (const auto& [stem, part] : parts) {
    if (!stem.starts_with("test")) continue;
    tests.push_back({stem, reader.other(part)});
    total += tests.back().pairs.size();
  }
  std::vector<Pair> seen;  // of a folder that split wrote: its row numbers are those of the parts
  if (const auto part = parts.find(std::string(kSeenName)); maps && part != parts.end()) {
    seen = reader.other(part->second);
  }
  Interactions log = reader.finish();
  std::vector<std::vector<Pair>*> lists{&train, &valid};
  for (NamedPairs& test : tests) lists.push_back(&test.pairs);
  number_without_seen(log, lists);
  log.seen.insert(log.seen.end(), seen.begin(), seen.end());
  if (maps) {
    log.users = mapped_ids(log.users, maps->users, folder);
    log.items = mapped_ids(log.items, maps->items, folder);
  }
  report.read = std::move(log.report);
  report.read.doubts.insert(report.read.doubts.end(), look_alikes.begin(), look_alikes.end());
  report.read_users = log.users.size();
  report.read_items = log.items.size();
  report.read_interactions = total;
  Dataset data = make_dataset(folder_name(folder), std::move(log.users), std::move(log.items),
                              train, valid, tests);
  data.seen = seen_rows(log.seen, data.user_count());
  return data;
}

}  // namespace evenkeel::data
