// In: parts. Out: their folder on disk, written beside and renamed.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>

#include "base/error.h"
#include "data/id_map.h"
#include "data/parts.h"
#include "io/atomic_file.h"

namespace evenkeel::data {
namespace {

namespace fs = std::filesystem;

std::string adjacency_text(const std::vector<Pair>& pairs) {
  std::string text;
  text.reserve(pairs.size() * 7);
  for (std::size_t n = 0; n < pairs.size(); ++n) {
    if (n == 0 || pairs[n].user != pairs[n - 1].user) {
      if (n > 0) text.push_back('\n');
      text.append(fmt::format_int(pairs[n].user).c_str());
    }
    text.push_back(' ');
    text.append(fmt::format_int(pairs[n].item).c_str());
  }
  if (!pairs.empty()) text.push_back('\n');
  return text;
}

// The files that an earlier split left in `folder`; empty when the folder is none of ours.
std::set<std::string> files_of_split(const fs::path& folder) {
  std::ifstream file(folder / "manifest.json");
  const nlohmann::json manifest = nlohmann::json::parse(file, nullptr, false);
  if (!manifest.is_object() || manifest.value("format", "") != "evenkeel-split") return {};
  std::set<std::string> files{"manifest.json"};
  const auto listed = manifest.find("files");
  if (listed == manifest.end() || !listed->is_array()) return {};
  for (const auto& name : *listed) {
    if (name.is_string()) files.insert(name.get<std::string>());
  }
  return files;
}

// Only a missing folder, an empty one or an earlier split with nothing added may be replaced.
void refuse_foreign(const fs::path& folder) {
  if (!fs::exists(folder)) return;
  if (!fs::is_directory(folder)) {
    fail_run("{}: is a file; give a folder to write to", folder.string());
  }
  const std::set<std::string> ours = files_of_split(folder);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (ours.contains(name)) continue;
    fail_run("{}: the folder holds '{}', which no split wrote; give an empty or a new folder",
             folder.string(), name);
  }
}

void put_in_place(const fs::path& fresh, const fs::path& folder) {
  if (!fs::exists(folder) || fs::is_empty(folder)) {
    fs::rename(fresh, folder);  // rename(2) replaces an empty folder
    return;
  }
  const fs::path old = fs::path(fresh).concat(".old");
  fs::rename(folder, old);
  fs::rename(fresh, folder);
  fs::remove_all(old);
}

nlohmann::json write_files(const fs::path& folder, const Parts& parts, nlohmann::json manifest) {
  std::vector<std::pair<std::string, std::string>> files;
  nlohmann::json counts = {{"users", parts.users.size()}, {"items", parts.items.size()}};
  const auto add = [&](const std::string& name, const std::vector<Pair>& pairs) {
    files.emplace_back(name + ".txt", adjacency_text(pairs));
    counts[name] = pairs.size();
  };
  add("train", parts.train);
  add("valid", parts.valid);
  for (const NamedPairs& test : parts.tests) add(test.name, test.pairs);
  files.emplace_back("users.csv", id_map_text(parts.users));
  files.emplace_back("items.csv", id_map_text(parts.items));
  manifest["format"] = "evenkeel-split";
  manifest["format_version"] = 1;
  manifest["counts"] = std::move(counts);
  manifest["files"] = nlohmann::json::array();
  for (const auto& [name, text] : files) {
    io::write_file_atomically((folder / name).string(), text);
    manifest["files"].push_back(name);
  }
  io::write_file_atomically((folder / "manifest.json").string(), manifest.dump(2) + "\n");
  return manifest;
}

}  // namespace

nlohmann::json write_parts(const std::string& folder, const Parts& parts, nlohmann::json manifest) {
  fs::path target(folder);
  if (!target.has_filename()) target = target.parent_path();  // "out/" is "out"
  fs::path fresh = target;
  fresh.concat(fmt::format(".partial-{}", ::getpid()));
  try {
    refuse_foreign(target);
    fs::create_directories(fresh);
    manifest = write_files(fresh, parts, std::move(manifest));
    put_in_place(fresh, target);
  } catch (const fs::filesystem_error& error) {
    std::error_code ignored;
    fs::remove_all(fresh, ignored);
    fail_run("{}: cannot write the folder ({}); check its place and permissions", folder,
             error.code().message());
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(fresh, ignored);
    throw;
  }
  return manifest;
}

}  // namespace evenkeel::data
