// In: a path. Out: the run folder, locked, checked and written only when all is well.
#include "train/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "io/atomic_file.h"

namespace evenkeel::train {
namespace {

namespace fs = std::filesystem;
using namespace run_files;

// The topmost folder of `path` that does not exist yet.
std::string first_missing(const std::string& path) {
  fs::path missing;
  std::error_code ignored;
  for (fs::path at = fs::absolute(path).lexically_normal(); !at.empty() && !fs::exists(at, ignored);
       at = at.parent_path()) {
    missing = at;
  }
  return missing.string();
}

// The records of a search, and nothing else: a folder of runs may hold one that is called auto.
void remove_search(const std::string& folder) {
  for (const std::string_view name : {kPending, kTuning, kTrials}) {
    fs::remove_all(run_file(folder, name));
  }
  std::error_code not_empty;
  fs::remove(run_file(folder, kSearch), not_empty);
}

// A model that no training left unfinished: `evenkeel extend` wrote it, or it was put there to
// serve.
bool holds_lone_model(const std::string& folder) {
  return has_run_file(folder, kModel) && !has_run_file(folder, kEvents) &&
         !has_run_file(folder, kResult);
}

// Moves the finished replacement into place. The old result goes before and the new one comes last,
// so that calling this again makes good a kill in between.
void adopt_replacement(const std::string& out) {
  const std::string from = run_file(out, kReplacement);
  if (has_run_file(out, kResult)) {
    remove_search(out);
    for (const std::string_view name :
         {kCheckpoint, kRefitCheckpoint, kSelection, kStart, kResult}) {
      fs::remove(run_file(out, name));
    }
  }
  if (has_run_file(from, kTrials)) fs::create_directories(run_file(out, kSearch));
  for (const std::string_view name : {kTrials, kCheckpoint, kRefitCheckpoint, kSelection, kStart,
                                      kModel, kConfig, kEvents, kResult}) {
    if (has_run_file(from, name)) fs::rename(run_file(from, name), run_file(out, name));
  }
  fs::remove_all(from);
}

}  // namespace

std::string run_file(const std::string& run, std::string_view name) {
  return (fs::path(run) / name).string();
}

bool has_run_file(const std::string& run, std::string_view name) {
  std::error_code ignored;
  return fs::exists(run_file(run, name), ignored);
}

FolderLock::FolderLock(const std::string& folder) {
  descriptor_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0) {
    fail_run("{}: cannot be opened as a folder: {}; choose another --out", folder,
             std::strerror(errno));
  }
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const int reason = errno;
    close(std::exchange(descriptor_, -1));
    if (reason != EWOULDBLOCK) return;  // a file system without locks: nothing can be promised
    fail_run("{}: another command is writing this folder; wait for it or choose another --out",
             folder);
  }
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::string training_place(const std::string& run) {
  return has_run_file(run, kReplacement) ? run_file(run, kReplacement) : run;
}

RunFolder::RunFolder(const std::string& out, const FolderUse& use) : out_(out), path_(out) {
  if (has_run_file(out, kResult) && !use.resume && !use.overwrite) {
    fail_config("{} holds a finished run; choose another --out, or give --overwrite or --resume",
                out);
  }
  const bool goes_on = use.resume && has_run_file(out, kReplacement);
  if (holds_lone_model(out) && !goes_on && !use.overwrite) {
    fail_config("{} holds a model; choose another --out, or give --overwrite", out);
  }
  made_ = first_missing(out);
  std::error_code failure;
  fs::create_directories(out, failure);
  if (failure) {
    fail_run("{}: cannot make the run folder: {}; choose another --out", out, failure.message());
  }
  lock_ = FolderLock(out);
  const bool replacement = has_run_file(out, kReplacement);
  if (replacement && has_run_file(run_file(out, kReplacement), kResult)) {
    adopt_replacement(out);
  } else if (replacement && use.resume) {
    path_ = run_file(out, kReplacement);
  }
  const bool finished = has_run_file(out, kResult) && !use.resume;
  if (finished || holds_lone_model(out)) path_ = run_file(out, kReplacement);
}

RunFolder::~RunFolder() {
  if (made_.empty() || begun_ || searching_) return;
  std::error_code ignored;
  const fs::path top(made_);
  for (fs::path at = fs::absolute(out_).lexically_normal(); fs::remove(at, ignored) && at != top;
       at = at.parent_path()) {
  }
}

void RunFolder::drop_earlier() {
  if (path_ != out_) fs::remove_all(path_);
  remove_search(path_);
  for (const std::string_view name : {kCheckpoint, kRefitCheckpoint, kSelection, kStart, kModel}) {
    fs::remove(file(name));
  }
}

void RunFolder::begin_search(bool anew) {
  if (!writes() || std::exchange(searching_, true)) return;
  if (anew) {
    drop_earlier();
    for (const std::string_view name : {kConfig, kEvents, kResult, kFailure})
      fs::remove(file(name));
  }
  fs::create_directories(file(kSearch));
}

void RunFolder::drop_search() {
  if (!std::exchange(searching_, false)) return;
  path_ == out_ ? remove_search(path_) : static_cast<void>(fs::remove_all(path_));
}

void RunFolder::begin(bool anew, const std::string& config) {
  if (!writes() || std::exchange(begun_, true)) return;
  if (anew && !searching_) drop_earlier();
  fs::create_directories(path_);
  for (const std::string_view name : {kResult, kFailure}) fs::remove(file(name));
  io::write_file_atomically(file(kConfig), config);
}

void RunFolder::finish() {
  if (searching_) {
    for (const std::string_view name : {kPending, kTuning}) fs::remove_all(file(name));
  }
  if (writes() && path_ != out_) adopt_replacement(out_);
}

void RunFolder::fail(const std::string& record) {
  if (!writes() || !begun_) return;
  if (path_ != out_) {  // the run that was to be replaced stays as it is
    fs::remove_all(path_);
    return;
  }
  io::write_file_atomically(file(kFailure), record);
  if (!has(kCheckpoint) && !has(kRefitCheckpoint)) fs::remove(file(kConfig));
}

}  // namespace evenkeel::train
