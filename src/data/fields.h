// One row cut into fields. In: a row and its separator; out: views of the wanted columns, quotes
// (RFC 4180) resolved; no allocation unless a field holds a doubled quote.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace evenkeel::data {

struct Separator {
  std::string text = ",";  // one or more characters; " " stands for a run of blanks
  bool quotes = true;      // fields may be quoted
  bool blanks() const { return text == " "; }
};

enum class FieldStatus { kGood, kTooFew, kOpenQuote, kTextAfterQuote, kTooMany };

// The columns a reader needs, ascending, and where each goes.
struct WantedColumns {
  static constexpr std::size_t kMost = 5;
  struct Column {
    std::size_t column = 0, slot = 0;
  };
  std::array<Column, kMost> columns{};
  std::size_t count = 0;
  std::size_t width = 0;  // columns of the table; more on a line are too many (0: any number)
  void add(std::size_t column, std::size_t slot);
};

// A line's fields, one slot for each wanted column. Views point into the line or into `unescaped`.
struct LineFields {
  std::array<std::string_view, WantedColumns::kMost> slots{};
  std::array<std::string, WantedColumns::kMost> unescaped;
  bool copied = false;    // some slot points into `unescaped`: use it before the next line
  std::size_t found = 0;  // fields passed when too few
};

inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Whether the fields of `rest`, `passed` others before them, stay within `width` columns. Empty
// fields beyond hold nothing that could be lost.
inline bool within(std::string_view rest, char separator, std::size_t passed, std::size_t width) {
  if (width == 0) return true;
  const auto more = static_cast<std::size_t>(std::count(rest.begin(), rest.end(), separator));
  if (passed + 1 + more <= width) return true;
  for (; passed < width; ++passed) rest.remove_prefix(rest.find(separator) + 1);
  return std::all_of(rest.begin(), rest.end(),
                     [&](char c) { return c == separator || c == ' ' || c == '\t'; });
}

// The first place of one of two bytes, or `end`. Fields are a few bytes long, so eight at a time
// are faster than a call of memchr for each.
inline const char* find_either(const char* at, const char* end, char one, char other) {
  constexpr std::uint64_t kOnes = 0x0101010101010101ULL, kHighs = 0x8080808080808080ULL;
  if constexpr (std::endian::native == std::endian::little) {
    const std::uint64_t ones = kOnes * static_cast<unsigned char>(one);
    const std::uint64_t others = kOnes * static_cast<unsigned char>(other);
    for (; end - at >= 8; at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, at, 8);
      const std::uint64_t a = word ^ ones, b = word ^ others;
      // High bits of bytes that are zero; above the lowest of them there may be others.
      const std::uint64_t hits = (((a - kOnes) & ~a) | ((b - kOnes) & ~b)) & kHighs;
      if (hits != 0) return at + std::countr_zero(hits) / 8;
    }
  }
  while (at != end && *at != one && *at != other) ++at;
  return at;
}

// The common case: a one-character separator and no quote in the line.
inline FieldStatus split_plain(std::string_view line, char separator, const WantedColumns& wanted,
                               LineFields& out) {
  const char* at = line.data();
  const char* const end = at + line.size();
  std::size_t next = 0;
  for (std::size_t column = 0;; ++column) {
    const void* cut = std::memchr(at, separator, static_cast<std::size_t>(end - at));
    const char* stop = cut != nullptr ? static_cast<const char*>(cut) : end;
    if (column == wanted.columns[next].column) {
      out.slots[wanted.columns[next].slot] = trimmed({at, static_cast<std::size_t>(stop - at)});
      if (++next == wanted.count) {
        const bool fits =
            cut == nullptr || within({stop + 1, end}, separator, column + 1, wanted.width);
        return fits ? FieldStatus::kGood : FieldStatus::kTooMany;
      }
    }
    if (cut == nullptr) {
      out.found = column + 1;
      return FieldStatus::kTooFew;
    }
    at = stop + 1;
  }
}

// Any separator, quotes if it allows them.
FieldStatus split_general(std::string_view line, const Separator& separator,
                          const WantedColumns& wanted, LineFields& out);

// Fields on a line, 0 when a quote is broken.
std::size_t count_fields(std::string_view line, const Separator& separator);

// Every field of a line, as copies; for headers and samples. An open quote takes the rest.
std::vector<std::string> all_fields(std::string_view line, const Separator& separator);

}  // namespace evenkeel::data
