// In: ids as bytes. Out: dense rows through a hash table that stays at most half full.
#include "data/ids.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

#include "base/error.h"

namespace evenkeel::data {
namespace {

constexpr std::size_t kFirstSlots = 64;
constexpr std::size_t kBatch = 64;  // slots on their way at once
constexpr std::uint64_t kLowHalf = 0xffffffffULL;

std::uint64_t tag_of(std::uint64_t hash) {
  return hash << 32;
}

}  // namespace

std::size_t Ids::slot_of(std::string_view wanted, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = hash & kLowHalf & mask;; slot = (slot + 1) & mask) {
    const std::uint64_t entry = slots_[slot];
    if (entry == 0) return slot;
    if ((entry & ~kLowHalf) != tag_of(hash)) continue;
    if (text(static_cast<Row>((entry & kLowHalf) - 1)) == wanted) return slot;
  }
}

void Ids::grow(std::size_t slots) {
  std::vector<std::uint64_t> larger(slots);
  const std::size_t mask = slots - 1;
  for (const std::uint64_t entry : slots_) {
    if (entry == 0) continue;
    std::size_t slot = (entry >> 32) & mask;
    while (larger[slot] != 0) slot = (slot + 1) & mask;
    larger[slot] = entry;
  }
  slots_ = std::move(larger);
}

void Ids::reserve(std::size_t rows) {
  offsets_.reserve(rows + 1);
  const std::size_t slots = std::bit_ceil(std::max(kFirstSlots, rows * 2));
  if (slots > slots_.size()) grow(slots);
}

std::optional<Row> Ids::find(std::string_view wanted) const {
  if (slots_.empty()) return std::nullopt;
  const std::uint64_t entry = slots_[slot_of(wanted, hash_bytes(wanted))];
  if (entry == 0) return std::nullopt;
  return static_cast<Row>((entry & kLowHalf) - 1);
}

Row Ids::insert(std::string_view added) {
  const std::uint64_t hash = hash_bytes(added);
  if (size() * 2 >= slots_.size()) grow(std::max(kFirstSlots, slots_.size() * 2));
  const std::size_t slot = slot_of(added, hash);
  if (slots_[slot] != 0) return static_cast<Row>((slots_[slot] & kLowHalf) - 1);
  if (size() >= std::numeric_limits<Row>::max() - 1) {
    fail_data("more than {} different ids; split the data", std::numeric_limits<Row>::max() - 1);
  }
  bytes_.append(added);
  offsets_.push_back(bytes_.size());
  slots_[slot] = tag_of(hash) | size();
  return static_cast<Row>(size() - 1);
}

Ids Ids::from_stored(std::string bytes, std::vector<std::uint64_t> offsets) {
  const char* remedy = "the stored ids are damaged; restore the file";
  if (offsets.empty() || offsets.front() != 0) fail_data("{} (no first offset)", remedy);
  if (offsets.size() > std::numeric_limits<Row>::max()) fail_data("{} (too many)", remedy);
  for (std::size_t row = 1; row < offsets.size(); ++row) {
    if (offsets[row] < offsets[row - 1]) fail_data("{} (offset {} falls back)", remedy, row);
  }
  if (offsets.back() != bytes.size()) {
    fail_data("{} (last offset {} of {} bytes)", remedy, offsets.back(), bytes.size());
  }
  Ids ids;
  ids.reserve(offsets.size() - 1);
  ids.bytes_ = std::move(bytes);
  ids.offsets_ = std::move(offsets);
  const std::size_t mask = ids.slots_.size() - 1;
  std::array<std::uint64_t, kBatch> hashes{};
  for (std::size_t begin = 0; begin < ids.size(); begin += kBatch) {
    const std::size_t count = std::min(kBatch, ids.size() - begin);
    for (std::size_t n = 0; n < count; ++n) {
      hashes[n] = hash_bytes(ids.text(static_cast<Row>(begin + n)));
      __builtin_prefetch(&ids.slots_[hashes[n] & kLowHalf & mask]);
    }
    for (std::size_t n = 0; n < count; ++n) {
      const auto row = static_cast<Row>(begin + n);
      const std::size_t slot = ids.slot_of(ids.text(row), hashes[n]);
      if (ids.slots_[slot] != 0) fail_data("{} ('{}' is there twice)", remedy, ids.text(row));
      ids.slots_[slot] = tag_of(hashes[n]) | (std::uint64_t{row} + 1);
    }
  }
  return ids;
}

}  // namespace evenkeel::data
