// A folder that appears whole or not at all. In: a target and the manifest that marks folders of
// its kind; out: a place beside it to write to, which takes its place in one rename.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace evenkeel::data {

// How a folder is known again: `manifest` is a JSON object whose "format" is `format` and whose
// "files" name all else in the folder.
struct FolderKind {
  std::string_view manifest, format, command;
};

class WholeFolder {
 public:
  // Refuses a target that holds anything but an earlier folder of the same kind. What a killed
  // command left beside the target is removed.
  WholeFolder(const std::string& target, const FolderKind& kind);
  ~WholeFolder();  // without commit() nothing stays
  WholeFolder(const WholeFolder&) = delete;
  WholeFolder& operator=(const WholeFolder&) = delete;

  std::string file(std::string_view name) const { return (fresh_ / name).string(); }
  void commit();

 private:
  std::filesystem::path target_, fresh_;
  bool done_ = false;
};

}  // namespace evenkeel::data
