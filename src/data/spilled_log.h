// A log that does not fit in memory. In: its pairs in file order, some at a time; out: each pair
// once, again in file order, from files that are dealt out by user and searched one by one.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/function_ref.h"
#include "base/types.h"

namespace evenkeel::data {

// A file that is written from front to end, then read so; removed with the object.
class SpillFile {
 public:
  explicit SpillFile(std::string path);
  ~SpillFile();
  SpillFile(SpillFile&& other) noexcept = default;
  SpillFile& operator=(SpillFile&&) = delete;

  void append(const void* bytes, std::size_t size);
  std::uint64_t size() const { return size_; }
  void rewind();                                    // from writing to reading
  std::size_t read(void* bytes, std::size_t size);  // as many as there are

 private:
  [[noreturn]] void fail(const char* action) const;
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t size_ = 0;
};

class SpilledLog {
 public:
  // Files go to `folder`. The pairs of a share are searched in memory: more shares need less of it.
  SpilledLog(const std::string& folder, std::size_t shares, bool times);

  void append(std::span<const Pair> pairs, std::span<const double> times);
  bool has_times() const { return times_; }

  // Finds what repeats; returns how many rows. Nothing may be appended any more.
  std::uint64_t find_repeats(std::size_t users, std::size_t items);
  // What is left, in file order and in blocks.
  void each_block(FunctionRef<void(std::span<const Pair>, std::span<const double>)> take);

 private:
  struct Fix {
    std::uint64_t row;
    double time;
  };
  void search(std::size_t share, class RepeatFinder& finder, std::size_t users);

  bool times_;
  std::uint64_t rows_ = 0;
  SpillFile pairs_;
  std::vector<SpillFile> times_file_;            // one, or none
  std::vector<SpillFile> shares_, share_times_;  // rows by user; their times
  std::vector<bool> repeated_;
  std::vector<Fix> fixes_;  // earlier times of rows that stay
};

}  // namespace evenkeel::data
