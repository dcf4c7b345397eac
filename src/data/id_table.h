// Ids while files are read. In: rounds of texts in file order, looked up side by side; out: their
// rows, numbered by first appearance, at any number of shards and threads.
//
// A round: look_up() of every shard (shards may run side by side), number(),
// settle() of every shard, row() for each token, end_round(). A text of up to 16 bytes lies in its
// slot, so that most lookups read one line of memory, which was asked for some tokens before.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/matrix.h"
#include "base/types.h"
#include "data/fold.h"
#include "data/hash.h"
#include "data/ids.h"

namespace evenkeel::data {

// A text on its way through the table. Up to 16 bytes `first`, `second` and `length` are the whole
// text; `second` of a longer one is a hash of it. look_up() puts the row into `first`.
struct IdToken {
  std::uint64_t first = 0, second = 0;
  const char* text = nullptr;  // must live until number() is done
  std::uint32_t length = 0;
  std::uint32_t at = 0;  // the pair it belongs to, in its piece
};

inline constexpr std::uint32_t kInlineId = 16;

inline IdToken id_token(std::string_view text, std::uint32_t at) {
  const char* const end = text.data() + text.size();
  // Through words of their own: four bytes written into eight would hold up whoever reads the
  // eight (about 20 ns for each line of a log).
  std::uint64_t first = 0, second = 0;
  if (text.size() >= 8) {
    std::memcpy(&first, text.data(), 8);
    std::memcpy(&second, end - 8, 8);
    if (text.size() > kInlineId) second = hash_bytes(text);
  } else if (text.size() >= 4) {
    std::uint32_t front = 0, back = 0;
    std::memcpy(&front, text.data(), 4);
    std::memcpy(&back, end - 4, 4);
    first = front;
    second = back;
  } else if (!text.empty()) {
    const auto middle = static_cast<unsigned char>(text[text.size() / 2]);
    first = static_cast<unsigned char>(text.front());
    second = (std::uint64_t{middle} << 8) | static_cast<unsigned char>(text.back());
  }
  return {first, second, text.data(), static_cast<std::uint32_t>(text.size()), at};
}

inline std::uint64_t hash_of(const IdToken& token) {
  return fold(token.first ^ 0x9e3779b97f4a7c15ULL,
              token.second ^ (token.length + 0xd6e8feb86659fd93ULL));
}

class IdTable {
 public:
  explicit IdTable(std::size_t shards = 1);  // a power of two

  std::size_t size() const { return offsets_.size() - 1; }
  std::string_view text(Row row) const {
    return std::string_view(bytes_).substr(offsets_[row], offsets_[row + 1] - offsets_[row]);
  }
  const std::string& bytes() const { return bytes_; }
  const std::vector<std::uint64_t>& offsets() const { return offsets_; }
  std::size_t shards() const { return shards_.size(); }
  static std::size_t shard_of(const IdToken& token, std::size_t shards) {
    return (hash_of(token) >> 48) & (shards - 1);
  }

  // Tokens of one piece and one shard, pieces in file order. `before`: pairs of earlier pieces.
  void look_up(std::size_t shard, std::span<IdToken> tokens, std::uint64_t before);
  void number();
  void settle(std::size_t shard);
  Row row(std::size_t shard, const IdToken& token) const {
    if ((token.first & kNew) == 0) return static_cast<Row>(token.first);
    return shards_[shard].fresh[token.first & ~kNew].row;
  }

  void end_round();  // tokens of the round are of no use any more

  void release_slots();  // nothing is looked up any more; the texts stay

  Row insert(std::string_view text);  // one text, as a round of its own
  Ids take();                         // the table is empty afterwards

 private:
  static constexpr std::uint64_t kNew = std::uint64_t{1} << 31;  // the place in `fresh` follows

  struct Slot {
    std::uint64_t first, second, hash;
    std::uint32_t length;
    std::uint32_t row;  // + 1; 0 is free
  };
  struct Fresh {
    std::uint64_t position, hash;
    const char* text;
    std::uint32_t length;
    Row row;
  };
  struct Shard {
    AlignedArray<Slot> slots;
    std::size_t used = 0;
    std::vector<Fresh> fresh;  // of this round
  };

  Slot& find(Shard& shard, const IdToken& token, std::uint64_t hash) const;
  static void grow(Shard& shard, std::size_t slots);

  std::vector<Shard> shards_;
  std::string bytes_;
  std::vector<std::uint64_t> offsets_{0};
  struct Place {
    std::uint64_t position;
    std::uint32_t shard, index;
  };
  std::vector<Place> order_;  // scratch of number()
};

}  // namespace evenkeel::data
