// Bias-aware margins. In: the popularity extractor's vectors for each class of users and items
// (a class is one popularity value, or a few); out: lambda * m for any (user, item) in one lookup.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/matrix.h"
#include "base/threads.h"
#include "base/types.h"

namespace evenkeel::loss {

struct Margin {
  float angle = 0, cosine = 1, sine = 0;  // lambda * m, and its cosine and sine
};

struct MarginEntry {
  std::string_view name, description;
  bool needs_extractor;
  // m from the cosine and the dot product of the two popularity vectors.
  double (*margin)(double cosine, double dot);
};

std::span<const MarginEntry> margin_kinds();
const MarginEntry& find_margin(std::string_view name);

// Which popularity class a row belongs to: rows with the same count share one.
struct PopularityClasses {
  std::vector<std::uint32_t> of_row;
  std::vector<std::uint32_t> values;  // the least count of each class, ascending
};

// A class for every distinct count.
PopularityClasses popularity_classes(std::span<const std::uint32_t> popularity);

// The same where there are no more than kMostClasses; otherwise counts that fall into the same of
// kMostClasses bins, equally wide in log(count + 1), share a class. Small counts stay apart.
inline constexpr std::size_t kMostClasses = 4096;
PopularityClasses merged_classes(std::span<const std::uint32_t> popularity);

// Those of a table with so many rows: one of the two above, or nothing where neither fits.
std::optional<PopularityClasses> classes_of_table(std::span<const std::uint32_t> popularity,
                                                  std::size_t rows);

class Margins {
 public:
  // Every pair gets the same margin, the strength itself.
  static Margins constant(double strength, std::size_t users, std::size_t items);
  // vectors: one row for each class. The table has 12 bytes for each pair of classes. Without
  // threads the caller works alone.
  static Margins from_vectors(const MarginEntry& kind, double strength, PopularityClasses users,
                              PopularityClasses items, const Matrix& user_vectors,
                              const Matrix& item_vectors, Threads* threads = nullptr);

  const Margin& of(Row user, Row item) const {
    return table_[user_class_[user] * item_classes_ + item_class_[item]];
  }
  void prefetch(Row user, Row item) const {  // classes are read at random
    __builtin_prefetch(&user_class_[user], 0, 2);
    __builtin_prefetch(&item_class_[item], 0, 2);
  }

 private:
  std::vector<std::uint32_t> user_class_, item_class_;
  std::size_t item_classes_ = 1;
  std::vector<Margin> table_;
};

}  // namespace evenkeel::loss
