// In: parts. Out: their folder on disk, written beside and renamed.
#include <fmt/format.h>

#include "data/id_map.h"
#include "data/parts.h"
#include "data/whole_folder.h"
#include "io/atomic_file.h"

namespace evenkeel::data {
namespace {

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

constexpr FolderKind kSplitKind{"manifest.json", "evenkeel-split", "split"};

nlohmann::json write_files(const WholeFolder& folder, const Parts& parts, nlohmann::json manifest) {
  std::vector<std::pair<std::string, std::string>> files;
  nlohmann::json counts = {{"users", parts.users.size()}, {"items", parts.items.size()}};
  const auto add = [&](const std::string& name, const std::vector<Pair>& pairs) {
    files.emplace_back(name + ".txt", adjacency_text(pairs));
    counts[name] = pairs.size();
  };
  add("train", parts.train);
  add("valid", parts.valid);
  for (const NamedPairs& test : parts.tests) add(test.name, test.pairs);
  if (!parts.seen.empty()) add(std::string(kSeenName), parts.seen);
  files.emplace_back("users.csv", id_map_text(parts.users));
  files.emplace_back("items.csv", id_map_text(parts.items));
  manifest["format"] = kSplitKind.format;
  manifest["format_version"] = 1;
  manifest["counts"] = std::move(counts);
  manifest["files"] = nlohmann::json::array();
  for (const auto& [name, text] : files) {
    io::write_file_atomically(folder.file(name), text);
    manifest["files"].push_back(name);
  }
  io::write_file_atomically(folder.file(kSplitKind.manifest), manifest.dump(2) + "\n");
  return manifest;
}

}  // namespace

nlohmann::json write_parts(const std::string& folder, const Parts& parts, nlohmann::json manifest) {
  WholeFolder whole(folder, kSplitKind);
  manifest = write_files(whole, parts, std::move(manifest));
  whole.commit();
  return manifest;
}

}  // namespace evenkeel::data
