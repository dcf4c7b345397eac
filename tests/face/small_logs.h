// Logs for the tests of the public face. In: sizes; out: the same rows as CSV text and in memory.
#pragma once

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "cli/tiny_log.h"
#include "data/scratch.h"
#include "evenkeel/evenkeel.h"

namespace evenkeel::testing {

inline const OptionValues kQuick{{"epochs", "4"}, {"dim", "8"}, {"threads", "1"}};

inline OptionValues quick_with(std::initializer_list<std::pair<std::string, std::string>> more) {
  OptionValues options = kQuick;
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

// Its rows, with their numbers as times.
inline InteractionLog log_of(const std::string& csv, bool times = false) {
  InteractionLog log("log");
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);  // the header
  for (double number = 0; std::getline(lines, line); ++number) {
    const std::size_t comma = line.find(',');
    if (times) {
      log.add(line.substr(0, comma), line.substr(comma + 1), number);
    } else {
      log.add(line.substr(0, comma), line.substr(comma + 1));
    }
  }
  return log;
}

inline std::string small_csv() {
  return tiny_log(60, 30, 8);
}

inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::string saved_bytes(const Recommender& recommender, const Scratch& scratch) {
  recommender.save(scratch.path("saved.safetensors"));
  return bytes_of(scratch.path("saved.safetensors"));
}

// One model for all tests that only ask.
inline const Recommender& small_recommender() {
  static const Recommender recommender = train_recommender(log_of(small_csv()), kQuick).recommender;
  return recommender;
}

}  // namespace evenkeel::testing
