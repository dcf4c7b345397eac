// In: seeds. Out: one of them with one to four changes: bytes changed, lost or doubled, ends cut
// off, pieces of other seeds, thousands of levels, and the numbers and signs that parsers trip
// over.
#include "mutate.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/rng.h"

namespace evenkeel::fuzz {
namespace {

constexpr std::string_view kTokens[] = {"-1",         "0",
                                        "4294967296", "18446744073709551615",
                                        "1e999",      "nan",
                                        "-inf",       "\"",
                                        "\"\"",       "\n",
                                        "\r\n",       "\t",
                                        ",",          ",,",
                                        ";",          "::",
                                        "{",          "}",
                                        "[",          "]",
                                        "=",          "\xEF\xBB\xBF",
                                        "\xFF",       "\x80"};
// What opens a level, in JSON and in TOML: many of them in a row overflow a stack that recurses.
constexpr std::string_view kLevels[] = {"[", "{", "{\"a\":", "a.", "[a.", "\"a\".", "{a=", "[["};
constexpr std::size_t kLongest = 1 << 16;

class Mutator {
 public:
  Mutator(std::span<const std::string> seeds, std::uint32_t number)
      : seeds_(seeds), random_(number, Purpose::kAnalysis), draws_(random_, 0) {}

  std::string mutated() {
    std::string text = any_seed();
    const std::uint32_t changes = 1 + draws_.below(4);
    for (std::uint32_t k = 0; k < changes; ++k) change(text);
    text.resize(std::min(text.size(), kLongest));
    return text;
  }

 private:
  const std::string& any_seed() { return seeds_[below(seeds_.size())]; }
  std::size_t below(std::size_t bound) {
    return bound == 0 ? 0 : draws_.below(static_cast<std::uint32_t>(bound));
  }

  void change(std::string& text) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = below(std::min<std::size_t>(text.size() - at, 40) + 1);
    switch (draws_.below(9)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << draws_.below(8)));
        break;
      case 1:
        if (at < text.size()) text[at] = static_cast<char>(draws_.below(256));
        break;
      case 2:
        text.erase(at, length);
        break;
      case 3:
        text.insert(at, text.substr(at, length));
        break;
      case 4:
        text.resize(at);
        break;
      case 5: {
        const std::string& other = any_seed();
        text.insert(at, other.substr(below(other.size() + 1), below(200)));
        break;
      }
      case 6: {
        const std::string_view level = kLevels[below(std::size(kLevels))];
        std::string levels;
        for (std::size_t k = below(kLongest / level.size()); k > 0; --k) levels += level;
        text.insert(at, levels);
        break;
      }
      case 7:
        text.replace(at, length, kTokens[below(std::size(kTokens))]);
        break;
      default:
        for (std::size_t k = at; k < text.size(); ++k) {  // a number nearby becomes another
          if (text[k] >= '0' && text[k] <= '9') {
            text[k] = static_cast<char>('0' + draws_.below(10));
            break;
          }
        }
    }
  }

  std::span<const std::string> seeds_;
  Random random_;
  Draws draws_;
};

}  // namespace

std::string mutated(std::span<const std::string> seeds, std::uint32_t number) {
  return Mutator(seeds, number).mutated();
}

}  // namespace evenkeel::fuzz
