// In: a folder of adjacency files. Out: a data set whose rows are numbered over train, valid,
// tests.
#include "data/folder.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "base/error.h"
#include "data/adjacency.h"
#include "data/id_map.h"

namespace evenkeel {
namespace {

namespace fs = std::filesystem;

// stem -> path of NAME.txt, NAME.txt.gz or NAME.txt.zst; the plain file wins over a packed copy.
std::map<std::string, std::string> part_files(const std::string& folder) {
  std::map<std::string, std::string> parts;
  for (const char* ending : {".txt", ".txt.zst", ".txt.gz"}) {
    std::error_code failure;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, failure)) {
      const std::string name = entry.path().filename().string();
      if (!name.ends_with(ending) || entry.is_directory(failure)) continue;
      const std::string stem = name.substr(0, name.size() - std::string_view(ending).size());
      if (stem == "train" || stem == "valid" || stem.starts_with("test")) {
        parts.emplace(stem, entry.path().string());
      }
    }
    if (failure) fail_data("{}: cannot list the folder ({})", folder, failure.message());
  }
  return parts;
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

// Reads one part; the ids of `log` go on from part to part, its pairs start anew.
std::vector<Pair> read_part(const std::string& path, Threads& threads, Interactions& log) {
  const TextFile file(path);
  log.pairs.clear();
  read_adjacency(file, {}, threads, log);
  merge_duplicates(log);
  return std::exchange(log.pairs, {});
}

// A folder that `split` wrote holds row numbers, and the ids beside them.
void give_ids_back(const std::string& folder, Interactions& log) {
  const std::string users_file = (fs::path(folder) / "users.csv").string();
  const std::string items_file = (fs::path(folder) / "items.csv").string();
  const auto users = read_id_map(users_file), items = read_id_map(items_file);
  if (!users && !items) return;
  if (!users || !items) {
    fail_data("{}: there is no id map `row,id` in this file, but one in {}; write the split again",
              users ? items_file : users_file, users ? users_file : items_file);
  }
  log.users = mapped_ids(log.users, *users, folder);
  log.items = mapped_ids(log.items, *items, folder);
}

}  // namespace

Dataset load_folder(const std::string& folder, Threads& threads, LoadReport& report) {
  auto parts = part_files(folder);
  if (!parts.contains("train")) {
    fail_data(
        "{}: the folder has no train.txt (nor train.txt.gz, train.txt.zst); give a folder of "
        "parts or {}",
        folder, file_to_give(folder));
  }
  Interactions log;
  const std::vector<Pair> train = read_part(parts["train"], threads, log);
  if (train.empty()) fail_data("{}: the file is empty; it must hold interactions", parts["train"]);
  std::vector<Pair> valid;
  if (parts.contains("valid")) valid = read_part(parts["valid"], threads, log);
  std::vector<NamedPairs> tests;
  std::size_t total = train.size() + valid.size();
  for (const auto& [stem, path] : parts) {
    if (!stem.starts_with("test")) continue;
    tests.push_back({stem, read_part(path, threads, log)});
    total += tests.back().pairs.size();
  }
  give_ids_back(folder, log);
  report.read = std::move(log.report);
  report.read_users = log.users.size();
  report.read_items = log.items.size();
  report.read_interactions = total;
  fs::path path(folder);
  if (!path.has_filename()) path = path.parent_path();
  return make_dataset(path.filename().string(), std::move(log.users), std::move(log.items), train,
                      valid, tests);
}

}  // namespace evenkeel
