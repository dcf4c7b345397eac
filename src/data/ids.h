// External ids. In: any bytes a user calls a user or an item; out: dense rows, and the bytes back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"
#include "data/hash.h"

namespace evenkeel::data {

// Row -> text and text -> row. Rows are numbered in order of first insertion.
class Ids {
 public:
  std::size_t size() const { return offsets_.size() - 1; }
  std::string_view text(Row row) const {
    return std::string_view(bytes_).substr(offsets_[row], offsets_[row + 1] - offsets_[row]);
  }
  std::optional<Row> find(std::string_view text) const;
  Row insert(std::string_view text);  // the row if known
  void reserve(std::size_t rows);

  // The stored form: all texts back to back and size() + 1 offsets.
  const std::string& bytes() const { return bytes_; }
  const std::vector<std::uint64_t>& offsets() const { return offsets_; }
  static Ids from_stored(std::string bytes, std::vector<std::uint64_t> offsets);  // checked

 private:
  std::size_t slot_of(std::string_view text, std::uint64_t hash) const;
  void grow(std::size_t slots);
  std::string bytes_;
  std::vector<std::uint64_t> offsets_{0};
  // Open addressing. Low half: row + 1 (0 is free); high half: low half of the hash, so that most
  // misses end here and growing reads no text.
  std::vector<std::uint64_t> slots_;
};

}  // namespace evenkeel::data
