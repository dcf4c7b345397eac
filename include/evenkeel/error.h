// Errors that the caller can do something about. In: one sentence (where, what, remedy) and a kind;
// out: the exception that every function of evenkeel throws.
#pragma once

#include <stdexcept>
#include <string>

#include "evenkeel/export.h"

namespace evenkeel {

/// What has to change before it can work. The numbers are the program's exit codes.
enum class ErrorKind {
  kRun = 1,         ///< the run cannot go on: disk full, folder not writable, training diverged
  kConfig = 2,      ///< an option, key or name is wrong
  kData = 3,        ///< a file's content is wrong, or an id is unknown
  kInterrupted = 4  ///< the caller asked for the end; a run folder keeps a checkpoint
};

/// One sentence for people: file, line or key, the bad value and the remedy.
class EVENKEEL_API Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& sentence) : std::runtime_error(sentence), kind_(kind) {}
  ErrorKind kind() const { return kind_; }
  int exit_code() const { return static_cast<int>(kind_); }  ///< what the program would end with

 private:
  ErrorKind kind_;
};

}  // namespace evenkeel
