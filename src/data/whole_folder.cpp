// In: a target. Out: its folder, written beside and renamed.
#include "data/whole_folder.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <set>
#include <system_error>

#include "base/error.h"
#include "io/json_text.h"

namespace evenkeel::data {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPartial = ".partial-";

// The files that an earlier command left in `folder`; empty when the folder is none of ours.
std::set<std::string> files_of(const fs::path& folder, const FolderKind& kind) {
  const nlohmann::json record = io::read_json_file((folder / kind.manifest).string());
  if (!record.is_object() || record.value("format", nlohmann::json()) != kind.format) return {};
  const auto listed = record.find("files");
  if (listed == record.end() || !listed->is_array()) return {};
  std::set<std::string> files{std::string(kind.manifest)};
  for (const auto& name : *listed) {
    if (name.is_string()) files.insert(name.get<std::string>());
  }
  return files;
}

// Only a missing folder, an empty one or one of ours with nothing added may be replaced.
void refuse_foreign(const fs::path& folder, const FolderKind& kind) {
  if (!fs::exists(folder)) return;
  if (!fs::is_directory(folder)) {
    fail_run("{}: is a file; give a folder to write to", folder.string());
  }
  const std::set<std::string> ours = files_of(folder, kind);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (ours.contains(name)) continue;
    fail_run("{}: the folder holds '{}', which no {} wrote; give an empty or a new folder",
             folder.string(), name, kind.command);
  }
}

bool is_running(std::string_view process) {
  pid_t id = 0;
  const auto [end, failure] = std::from_chars(process.data(), process.data() + process.size(), id);
  if (failure != std::errc() || end != process.data() + process.size() || id <= 0) return true;
  return ::kill(id, 0) == 0 || errno != ESRCH;
}

void remove_leftovers(const fs::path& target) {
  std::error_code ignored;
  const fs::path parent = target.has_parent_path() ? target.parent_path() : fs::path(".");
  const std::string start = target.filename().string() + std::string(kPartial);
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(start) || is_running(std::string_view(name).substr(start.size()))) {
      continue;
    }
    fs::remove_all(entry.path(), ignored);
  }
}

[[noreturn]] void fail_folder(const fs::path& folder, const fs::filesystem_error& error) {
  fail_run("{}: cannot write the folder ({}); check its place and permissions", folder.string(),
           error.code().message());
}

}  // namespace

WholeFolder::WholeFolder(const std::string& target, const FolderKind& kind) : target_(target) {
  if (!target_.has_filename()) target_ = target_.parent_path();  // "out/" is "out"
  fresh_ = target_;
  fresh_.concat(fmt::format("{}{}", kPartial, ::getpid()));
  try {
    refuse_foreign(target_, kind);
    remove_leftovers(target_);
    fs::remove_all(fresh_);
    fs::create_directories(fresh_);
  } catch (const fs::filesystem_error& error) {
    fail_folder(target_, error);
  }
}

WholeFolder::~WholeFolder() {
  std::error_code ignored;
  if (!done_) fs::remove_all(fresh_, ignored);
}

void WholeFolder::commit() {
  try {
    if (!fs::exists(target_) || fs::is_empty(target_)) {
      fs::rename(fresh_, target_);  // rename(2) replaces an empty folder
    } else {
      const fs::path old = fs::path(fresh_).concat(".old");
      fs::rename(target_, old);
      fs::rename(fresh_, target_);
      fs::remove_all(old);
    }
  } catch (const fs::filesystem_error& error) {
    fail_folder(target_, error);
  }
  done_ = true;
}

}  // namespace evenkeel::data
