// The one place that every message passes. In: lines for stderr; out: stderr unless it is quiet,
// and a log file where there is one.
#pragma once

#include <cstdio>
#include <mutex>
#include <string_view>

namespace evenkeel::cli {

class MessageSink {
 public:
  void open(bool quiet, std::FILE* log);  // takes the file
  void close();
  void write(std::string_view text);

 private:
  std::mutex mutex_;
  bool quiet_ = false;
  std::FILE* log_ = nullptr;
};

// As the standard streams it stands for, there is one in the program.
MessageSink& message_sink();

}  // namespace evenkeel::cli
