// Ids while files are read. In: rounds of texts in file order, looked up side by side; out: their
// rows, numbered by first appearance, at any number of shards and threads.
//
// Most texts of a log came before: known() finds those, on any thread. The others make a round:
// look_up() of every shard (shards may run side by side), number(), store_rows() of every shard,
// row() for each token, end_round(). A text of up to 16 bytes lies in its slot, so that most
// lookups read one line of memory, which was asked for some tokens before.
#pragma once

#include <algorithm>
#include <array>
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

// A text on its way through the table. Up to 16 bytes `first` and `second` are the text, filled up
// with zeros; `second` of a longer one is a hash of it. look_up() puts the row into `first`.
struct IdToken {
  std::uint64_t first = 0, second = 0;
  const char* text = nullptr;  // must live until number() is done
  std::uint32_t length = 0;
  std::uint32_t at = 0;  // the pair it belongs to, in its piece
};

inline constexpr std::uint32_t kInlineId = 16;

// The same token for a text behind which bytes may be read, up to kInlineId from its start. No
// branch asks for its length: nobody could foresee that. (Of words that begin with the low byte.)
inline IdToken id_token_of_readable(std::string_view text, std::uint32_t at) {
  std::uint64_t first = 0, second = 0;
  std::memcpy(&first, text.data(), 8);
  std::memcpy(&second, text.data() + 8, 8);
  const std::size_t size = text.size();
  const auto low_bytes = [](std::size_t count) {
    return count >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * count)) - 1;
  };
  first &= low_bytes(size);
  second &= low_bytes(size > 8 ? size - 8 : 0);
  if (size > kInlineId) [[unlikely]]
    second = hash_bytes(text);
  return {first, second, text.data(), static_cast<std::uint32_t>(size), at};
}

inline IdToken id_token(std::string_view text, std::uint32_t at) {
  std::array<std::uint64_t, 2> words{};
  std::memcpy(words.data(), text.data(), std::min<std::size_t>(text.size(), kInlineId));
  if (text.size() > kInlineId) words[1] = hash_bytes(text);
  return {words[0], words[1], text.data(), static_cast<std::uint32_t>(text.size()), at};
}

inline std::uint64_t hash_of(const IdToken& token) {
  return fold(token.first ^ 0x9e3779b97f4a7c15ULL,
              token.second ^ (token.length + 0xd6e8feb86659fd93ULL));
}

class IdTable {
 public:
  static constexpr Row kNoRow = ~Row{0};

  explicit IdTable(std::size_t shards = 1);  // a power of two

  std::size_t size() const { return offsets_.size() - 1; }
  std::string_view text(Row row) const {
    return std::string_view(bytes_).substr(offsets_[row], offsets_[row + 1] - offsets_[row]);
  }
  const std::string& bytes() const { return bytes_; }
  const std::vector<std::uint64_t>& offsets() const { return offsets_; }
  std::size_t shards() const { return shards_.size(); }
  static std::size_t shard_of(const IdToken& token, std::size_t shards) {
    return shard_of(hash_of(token), shards);
  }
  static std::size_t shard_of(std::uint64_t hash, std::size_t shards) {
    return (hash >> 48) & (shards - 1);
  }

  // The row of a text of an earlier round, or kNoRow. May run beside number(), if make_room() came
  // before it, but not beside look_up() and store_rows().
  Row known(const IdToken& token, std::uint64_t hash) const {
    const Shard& shard = shards_[shard_of(hash, shards())];
    for (Probe probe(hash, shard.slots.size());; probe.go_on()) {
      const Slot& slot = shard.slots[probe.at];
      if (slot.row == 0) return kNoRow;
      if (slot.first != token.first || slot.second != token.second || slot.length != token.length) {
        continue;
      }
      const Row row = slot.row - 1;
      if ((row & kNew) != 0) return kNoRow;  // of the round that is being numbered
      if (token.length <= kInlineId || has_text(row, token)) return row;
    }
  }
  [[gnu::always_inline]] void prefetch(std::uint64_t hash) const {
    const Shard& shard = shards_[shard_of(hash, shards())];
    __builtin_prefetch(&shard.slots[hash & (shard.slots.size() - 1)]);
  }

  // Tokens of one piece and one shard, pieces in file order. `before`: pairs of earlier pieces.
  void look_up(std::size_t shard, std::span<IdToken> tokens, std::uint64_t before);
  void make_room();  // for what number() will add
  void number();
  void store_rows(std::size_t shard);  // in the slots, where known() finds them
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
  // Where a text may lie, one place after another: the other slot of a cache line comes before the
  // next line.
  struct Probe {
    Probe(std::uint64_t hash, std::size_t slots) : at(hash & (slots - 1)), mask(slots - 1) {}
    void go_on() {
      at ^= 1;
      if (second) at = (at + 2) & mask;
      second = !second;
    }
    std::size_t at, mask;
    bool second = false;
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
    std::vector<Fresh> fresh;       // of this round
    std::uint64_t fresh_bytes = 0;  // of their texts
  };

  Slot& find(Shard& shard, const IdToken& token, std::uint64_t hash) const;
  static void grow(Shard& shard, std::size_t slots);
  // Reads nothing that appending changes, as long as there is room.
  bool has_text(Row row, const IdToken& token) const {
    return std::memcmp(bytes_.data() + offsets_.data()[row], token.text, token.length) == 0;
  }

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
