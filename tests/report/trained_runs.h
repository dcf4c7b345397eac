// Small trained runs on data with hostile ids, made once for the tests of a file.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "base/rng.h"
#include "data/scratch.h"
#include "report/report.h"
#include "train/run.h"

namespace evenkeel::testing {

inline const std::vector<std::string>& hostile_ids() {
  static const std::vector<std::string> ids{"</script><script>alert(1)</script>", "\"'`&<!--",
                                            "\xE2\x98\x83\xF0\x9F\x9A\xA2", "bytes\xFF\xFE",
                                            std::string(10240, 'L')};
  return ids;
}

// 40 users, 30 items in two tastes; the first items and users have hostile ids.
inline void write_hostile_data(const Scratch& scratch, const std::string& folder,
                               bool with_test = true, std::uint32_t salt = 0) {
  const auto name = [](char letter, std::uint32_t n) {
    return n < hostile_ids().size() ? hostile_ids()[n] : letter + std::to_string(n);
  };
  const Random random(3, Purpose::kMarket, salt);
  std::string train, valid, test;
  for (std::uint32_t user = 0; user < 40; ++user) {
    train += name('u', user);
    valid += name('u', user);
    test += name('u', user);
    Draws draws(random, user);
    for (std::uint32_t n = 0; n < 10; ++n) {
      const std::uint32_t item = draws.below(1 + draws.below(15)) * 2 + user % 2;
      (n < 7 ? train : n < 8 ? valid : test) += " " + name('i', item);
    }
    for (std::string* part : {&train, &valid, &test}) *part += "\n";
  }
  scratch.write(folder + "/train.txt", train);
  scratch.write(folder + "/valid.txt", valid);
  if (with_test) scratch.write(folder + "/test_a.txt", test);
}

inline void train_small(const std::string& data, const std::string& out,
                        std::initializer_list<std::pair<std::string_view, std::string_view>> more) {
  Settings settings = train::run_settings();
  for (const auto& [key, value] :
       std::initializer_list<std::pair<std::string_view, std::string_view>>{
           {"dim", "4"}, {"epochs", "3"}, {"batch", "32"}, {"threads", "1"}}) {
    settings.set(key, value);
  }
  for (const auto& [key, value] : more) settings.set(key, value);
  train::Observer silent;
  const std::atomic<bool> never{false};
  train::train_run({data, out, false, true}, settings, silent, never);
}

inline nlohmann::json report_of(std::vector<std::string> paths, int threads = 1) {
  Threads team(threads);
  train::Observer silent;
  const std::atomic<bool> never{false};
  return report::make_report({std::move(paths), "0.0", "evenkeel report"}, team, silent, never);
}

}  // namespace evenkeel::testing
