// The folder of a run: the names of its files, who may write it, and how a finished run in it is
// replaced. In: the path a user named; out: a place to write that nobody else writes meanwhile.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "model/model.h"

namespace evenkeel::train {

namespace run_files {
inline constexpr std::string_view kModel = model::kModelFile;
inline constexpr std::string_view kConfig = "config.toml";
inline constexpr std::string_view kEvents = "events.jsonl";
inline constexpr std::string_view kCheckpoint = "checkpoint.safetensors";
inline constexpr std::string_view kResult = "result.json";
inline constexpr std::string_view kFailure = "failed.json";       // why a run has no result
inline constexpr std::string_view kSelection = "selection.json";  // of a refit: the chosen epoch
inline constexpr std::string_view kRefitCheckpoint = "refit-checkpoint.safetensors";
inline constexpr std::string_view kStart = "start.safetensors";  // of --from: the rows it gave
inline constexpr std::string_view kSearch = "auto";  // of --auto: what was tried, and while the
inline constexpr std::string_view kPending = "auto/pending.json";  // search goes on, how it stands
inline constexpr std::string_view kTuning = "auto/tune";           // and its runs
inline constexpr std::string_view kTrials = "auto/trials.json";
inline constexpr std::string_view kReplacement = ".replacement";  // a new run, until it is finished
}  // namespace run_files

std::string run_file(const std::string& run, std::string_view name);
bool has_run_file(const std::string& run, std::string_view name);

// Keeps other processes and threads out of a folder while it lives; the system frees it when the
// process dies. A folder that is taken is a run error.
class FolderLock {
 public:
  FolderLock() = default;
  explicit FolderLock(const std::string& folder);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;
  ~FolderLock();

 private:
  int descriptor_ = -1;
};

struct FolderUse {
  bool resume = false;
  bool overwrite = false;
};

// Nothing in the folder changes before begin(). A finished run that is to be overwritten stays
// whole until the new one is: that one is written beside it and takes its place in finish().
class RunFolder {
 public:
  RunFolder() = default;  // a run in memory: nothing is written
  RunFolder(const std::string& out, const FolderUse& use);
  // That of another rank, which alone writes there; `path` is its path().
  struct OfFirstRank {
    std::string path;
  };
  explicit RunFolder(OfFirstRank other) : path_(std::move(other.path)), follows_(true) {}
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  ~RunFolder();  // a folder that was made here and stayed empty goes away

  bool in_memory() const { return path_.empty(); }
  bool writes() const { return !in_memory() && !follows_; }
  const std::string& path() const { return path_; }  // where this training writes
  std::string file(std::string_view name) const { return run_file(path_, name); }
  bool has(std::string_view name) const { return writes() && has_run_file(path_, name); }

  // A search for settings comes before the training: its records are kept in kSearch, beside the
  // run that is to be replaced; `anew` drops what an earlier try left.
  void begin_search(bool anew);
  void drop_search();                                // it failed: as if it had never begun
  void begin(bool anew, const std::string& config);  // once; `anew` drops what an earlier try left
  void finish();                                     // the new run is whole, a search over
  // What a failed run leaves: a reason, its settings and data, but nothing that looks like a run.
  // A checkpoint that `--resume` can go on from keeps its configuration.
  void fail(const std::string& record);

 private:
  void drop_earlier();

  std::string out_, path_;
  std::string made_;  // the topmost folder that was made here
  bool begun_ = false, searching_ = false;
  bool follows_ = false;
  FolderLock lock_;
};

// Where RUN's records are while it is trained: in place, or in the run that will replace it.
std::string training_place(const std::string& run);

}  // namespace evenkeel::train
