// Feeds damaged files to the readers of targets.cpp. In: a number of seconds and perhaps a target;
// out: exit 0 if every input was read or refused with a sentence. The input at work lies in
// FOLDER/TARGET.input, so that it is still there after a crash; with that path in place of the
// seconds it is read once more.
//
//   evenkeel_fuzz FOLDER SECONDS|INPUT [TARGET]
#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/error.h"
#include "mutate.h"
#include "targets.h"

namespace evenkeel::fuzz {
namespace {

using Clock = std::chrono::steady_clock;
constexpr unsigned kHang = 20;         // seconds for one input; the alarm ends the program
constexpr std::uint32_t kLeast = 200;  // inputs, however few seconds

// Whether it was read; a refusal must be the sentence of a config or data error.
bool reads(const Target& target, const std::string& path) {
  alarm(kHang);
  try {
    target.read(path);
  } catch (const Error& error) {
    const bool refused = error.kind() == ErrorKind::kConfig || error.kind() == ErrorKind::kData;
    if (!refused) throw;
    return false;
  }
  return true;
}

void attack(const Target& target, const std::string& folder, double seconds) {
  const std::string path = folder + "/" + target.name + ".input";
  const auto start = Clock::now();
  const auto spent = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  std::uint32_t number = 0, read = 0;
  for (; number < kLeast || spent() < seconds; ++number) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    if (!(file << mutated(target.seeds, number)).flush()) fail_run("{} cannot be written", path);
    file.close();
    read += reads(target, path) ? 1 : 0;
  }
  fmt::print("{}: {} damaged inputs in {:.1f} s, {} read, {} refused\n", target.name, number,
             spent(), read, number - read);
}

int run(int count, char** words) {
  if (count < 3 || count > 4) {
    fmt::print(stderr, "usage: evenkeel_fuzz FOLDER SECONDS|INPUT [TARGET]\n");
    return 2;
  }
  const std::string folder = words[1], what = words[2], wanted = count > 3 ? words[3] : "";
  std::filesystem::create_directories(folder);
  double seconds = 0;
  const auto parsed = std::from_chars(what.data(), what.data() + what.size(), seconds);
  const bool replay = parsed.ptr != what.data() + what.size();
  bool known = false;
  for (const Target& target : targets(folder)) {
    if (!wanted.empty() && wanted != target.name) continue;
    known = true;
    try {
      if (replay) {
        fmt::print("{}: {}\n", target.name, reads(target, what) ? "read" : "refused");
      } else {
        attack(target, folder, seconds);
      }
    } catch (const std::exception& error) {
      const std::string input = replay ? what : folder + "/" + target.name + ".input";
      fmt::print(stderr, "{}: {} (the input: {})\n", target.name, error.what(), input);
      return 1;
    }
  }
  if (!known) fmt::print(stderr, "there is no target '{}'\n", wanted);
  return known ? 0 : 2;
}

}  // namespace
}  // namespace evenkeel::fuzz

int main(int count, char** words) {
  return evenkeel::fuzz::run(count, words);
}
