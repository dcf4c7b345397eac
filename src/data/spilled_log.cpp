// In: pairs. Out: files of them, and back without repeats.
#include "data/spilled_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "data/duplicates.h"

namespace evenkeel::data {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 17;  // rows

template <typename T>
std::vector<T> read_all(SpillFile& file) {
  std::vector<T> values(file.size() / sizeof(T));
  file.rewind();
  const std::size_t bytes = file.read(values.data(), values.size() * sizeof(T));
  EVENKEEL_CHECK(bytes == values.size() * sizeof(T));
  return values;
}

}  // namespace

SpillFile::SpillFile(std::string path) : path_(std::move(path)) {
  file_.reset(std::fopen(path_.c_str(), "w+bex"));
  if (!file_) fail("create");
  std::setvbuf(file_.get(), nullptr, _IOFBF, std::size_t{1} << 16);
  std::remove(path_.c_str());  // it lives as long as it is open, and no longer than the process
}

SpillFile::~SpillFile() = default;

void SpillFile::fail(const char* action) const {
  fail_run("{}: cannot {} a temporary file ({}); free some space or raise --memory", path_, action,
           std::strerror(errno));
}

void SpillFile::append(const void* bytes, std::size_t size) {
  if (std::fwrite(bytes, 1, size, file_.get()) != size) fail("write");
  size_ += size;
}

void SpillFile::rewind() {
  if (std::fflush(file_.get()) != 0) fail("write");
  std::rewind(file_.get());
}

std::size_t SpillFile::read(void* bytes, std::size_t size) {
  const std::size_t count = std::fread(bytes, 1, size, file_.get());
  if (count < size && std::ferror(file_.get()) != 0) fail("read");
  return count;
}

SpilledLog::SpilledLog(const std::string& folder, std::size_t shares, bool times)
    : times_(times), pairs_(folder + "/spill.pairs") {
  EVENKEEL_CHECK(shares > 0 && (shares & (shares - 1)) == 0);
  if (times) times_file_.emplace_back(folder + "/spill.times");
  for (std::size_t s = 0; s < shares; ++s) {
    shares_.emplace_back(fmt::format("{}/spill.{}", folder, s));
    if (times) share_times_.emplace_back(fmt::format("{}/spill.{}.times", folder, s));
  }
}

void SpilledLog::append(std::span<const Pair> pairs, std::span<const double> times) {
  EVENKEEL_CHECK(times.size() == (times_ ? pairs.size() : 0));
  pairs_.append(pairs.data(), pairs.size_bytes());
  if (times_) times_file_[0].append(times.data(), times.size_bytes());
  for (std::size_t n = 0; n < pairs.size(); ++n) {
    const LogRow row{pairs[n].user, pairs[n].item, rows_++};
    const std::size_t share = row.user & (shares_.size() - 1);
    shares_[share].append(&row, sizeof row);
    if (times_) share_times_[share].append(&times[n], sizeof(double));
  }
}

std::uint64_t SpilledLog::find_repeats(std::size_t users, std::size_t items) {
  repeated_.assign(rows_, false);
  RepeatFinder finder(items, times_);
  for (std::size_t s = 0; s < shares_.size(); ++s) search(s, finder, users);
  std::sort(fixes_.begin(), fixes_.end(), [](const Fix& a, const Fix& b) { return a.row < b.row; });
  shares_.clear();
  share_times_.clear();
  return static_cast<std::uint64_t>(std::count(repeated_.begin(), repeated_.end(), true));
}

void SpilledLog::search(std::size_t share, RepeatFinder& finder, std::size_t users) {
  const auto rows = read_all<LogRow>(shares_[share]);
  std::vector<double> times;
  if (times_) times = read_all<double>(share_times_[share]);
  std::vector<bool> earlier(times.size());
  const WholeRows layout{static_cast<unsigned>(std::countr_zero(shares_.size()))};
  const auto found = [&](std::uint32_t again, std::uint32_t first) {
    repeated_[rows[again].row] = true;
    if (times.empty() || times[again] >= times[first]) return;
    times[first] = times[again];
    earlier[first] = true;
  };
  finder.find(layout, std::span<const LogRow>(rows), users / shares_.size() + 1, found);
  for (std::size_t n = 0; n < earlier.size(); ++n) {
    if (earlier[n]) fixes_.push_back({rows[n].row, times[n]});
  }
}

void SpilledLog::each_block(
    FunctionRef<void(std::span<const Pair>, std::span<const double>)> take) {
  pairs_.rewind();
  if (times_) times_file_[0].rewind();
  std::vector<Pair> pairs(kBlock);
  std::vector<double> times(times_ ? kBlock : 0);
  auto fix = fixes_.begin();
  for (std::uint64_t begin = 0; begin < rows_; begin += kBlock) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, rows_ - begin));
    EVENKEEL_CHECK(pairs_.read(pairs.data(), count * sizeof(Pair)) == count * sizeof(Pair));
    if (times_) {
      EVENKEEL_CHECK(times_file_[0].read(times.data(), count * 8) == count * 8);
      for (; fix != fixes_.end() && fix->row < begin + count; ++fix) {
        times[fix->row - begin] = fix->time;
      }
    }
    std::size_t kept = 0;
    for (std::size_t n = 0; n < count; ++n) {
      if (repeated_[begin + n]) continue;
      pairs[kept] = pairs[n];
      if (times_) times[kept] = times[n];
      ++kept;
    }
    take({pairs.data(), kept}, {times.data(), times_ ? kept : 0});
  }
}

}  // namespace evenkeel::data
