// In: sizes and a seed. Out: lines, made side by side and written in order.
#include "data/synthetic_log.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "base/rng.h"
#include "io/atomic_file.h"

namespace evenkeel::data {
namespace {

constexpr std::uint64_t kLinesOfBlock = 1 << 15;
constexpr std::uint32_t kSyntheticLog = 100;  // beside the ingredients of the market
constexpr std::uint32_t kItemsOfBlock = 500;

// The rank of somebody whose share falls with rank^-1/2: floor(count * x^2).
std::uint32_t by_activity(std::uint32_t count, std::uint32_t word) {
  const double x = static_cast<double>(word) * 0x1.0p-32;
  return std::min(count - 1, static_cast<std::uint32_t>(static_cast<double>(count) * x * x));
}

// With rank^-2/3: items are spread less evenly.
std::uint32_t by_popularity(std::uint32_t count, std::uint32_t word) {
  const double x = static_cast<double>(word) * 0x1.0p-32;
  return std::min(count - 1, static_cast<std::uint32_t>(static_cast<double>(count) * x * x * x));
}

char* append(char letter, std::uint32_t number, char* out) {
  char digits[10];
  int count = 0;
  do {
    digits[count++] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number > 0);
  *out++ = letter;
  while (count > 0) *out++ = digits[--count];
  return out;
}

class LineMaker {
 public:
  explicit LineMaker(const MarketOptions& options)
      : users_(static_cast<std::uint32_t>(options.users)),
        items_(static_cast<std::uint32_t>(options.items)),
        width_(std::min(items_, kItemsOfBlock)),
        random_(options.seed, Purpose::kMarket, kSyntheticLog) {}

  void make(std::uint64_t begin, std::uint64_t end, std::string& text) const {
    constexpr std::size_t kLongestLine = 24;  // two letters, twenty digits, comma, line end
    text.resize((end - begin) * kLongestLine);
    char* out = text.data();
    for (std::uint64_t line = begin; line < end; ++line) {
      const auto words =
          random_.words(static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(line >> 32));
      const std::uint32_t user = by_activity(users_, words[0]);
      const bool own = (words[1] & 1) != 0;
      const std::uint32_t item = own ? of_block(user, words[2]) : by_popularity(items_, words[2]);
      out = append('u', user, out);
      *out++ = ',';
      out = append('i', item, out);
      *out++ = '\n';
    }
    text.resize(static_cast<std::size_t>(out - text.data()));
  }

 private:
  std::uint32_t of_block(std::uint32_t user, std::uint32_t word) const {
    const std::uint32_t block = user % (items_ / width_);
    return block * width_ + bounded(word, width_);
  }

  std::uint32_t users_, items_, width_;
  Random random_;
};

}  // namespace

std::uint64_t write_synthetic_log(const std::string& path, const MarketOptions& options,
                                  Threads& threads) {
  const LineMaker lines(options);
  const auto total = static_cast<std::uint64_t>(options.interactions);
  std::vector<std::string> blocks(static_cast<std::size_t>(threads.count()) * 4);
  io::AtomicFile file(path, io::Links::kFollow);
  file.write("user,item\n");
  std::uint64_t bytes = 10;
  for (std::uint64_t start = 0; start < total; start += blocks.size() * kLinesOfBlock) {
    threads.for_chunks(blocks.size(), 1, [&](std::size_t b, std::size_t, int) {
      const std::uint64_t begin = std::min(total, start + b * kLinesOfBlock);
      lines.make(begin, std::min(total, begin + kLinesOfBlock), blocks[b]);
    });
    for (const std::string& block : blocks) {
      file.write(block);
      bytes += block.size();
    }
  }
  file.commit();
  return bytes;
}

}  // namespace evenkeel::data
