// In: tokens. Out: their rows, through one open-addressed table for each shard.
#include "data/id_table.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"

namespace evenkeel::data {
namespace {

constexpr std::size_t kFirstTableSlots = 256;
constexpr std::size_t kAhead = 24;  // tokens whose slots are on their way

}  // namespace

IdTable::IdTable(std::size_t shards) : shards_(shards) {
  EVENKEEL_CHECK(shards > 0 && (shards & (shards - 1)) == 0 && shards <= (1U << 16));
  for (Shard& shard : shards_) shard.slots = AlignedArray<Slot>(kFirstTableSlots);
}

// The slot that holds the token, or the free one where it belongs.
IdTable::Slot& IdTable::find(Shard& shard, const IdToken& token, std::uint64_t hash) const {
  for (Probe probe(hash, shard.slots.size());; probe.go_on()) {
    Slot& slot = shard.slots[probe.at];
    if (slot.row == 0) return slot;
    if (slot.first != token.first || slot.second != token.second || slot.length != token.length) {
      continue;
    }
    if (token.length <= kInlineId) return slot;
    const std::uint64_t known = slot.row - std::uint64_t{1};
    const std::string_view text_of_slot =
        (known & kNew) == 0
            ? text(static_cast<Row>(known))
            : std::string_view(shard.fresh[known & ~kNew].text, shard.fresh[known & ~kNew].length);
    if (text_of_slot == std::string_view(token.text, token.length)) return slot;
  }
}

void IdTable::grow(Shard& shard, std::size_t slots) {
  AlignedArray<Slot> larger(slots);
  for (std::size_t n = 0; n < shard.slots.size(); ++n) {
    const Slot& slot = shard.slots[n];
    if (slot.row == 0) continue;
    Probe probe(slot.hash, slots);
    while (larger[probe.at].row != 0) probe.go_on();
    larger[probe.at] = slot;
  }
  shard.slots = std::move(larger);
}

void IdTable::look_up(std::size_t number, std::span<IdToken> tokens, std::uint64_t before) {
  Shard& shard = shards_[number];
  // Hashed once: the hashes of the tokens ahead wait in a ring.
  std::array<std::uint64_t, kAhead> hashes{};
  const auto ask_for = [&](std::size_t n) {
    const std::uint64_t hash = hash_of(tokens[n]);
    hashes[n % kAhead] = hash;
    __builtin_prefetch(&shard.slots[hash & (shard.slots.size() - 1)]);
  };
  for (std::size_t n = 0; n < std::min(kAhead, tokens.size()); ++n) ask_for(n);
  for (std::size_t n = 0; n < tokens.size(); ++n) {
    IdToken& token = tokens[n];
    const std::uint64_t hash = hashes[n % kAhead];
    if (n + kAhead < tokens.size()) ask_for(n + kAhead);
    Slot* slot = &find(shard, token, hash);
    if (slot->row == 0) {
      if ((shard.used + 1) * 2 > shard.slots.size()) {
        grow(shard, shard.slots.size() * 2);
        slot = &find(shard, token, hash);
      }
      ++shard.used;
      EVENKEEL_CHECK(shard.fresh.size() < kNew - 1);
      *slot = {token.first, token.second, hash, token.length,
               static_cast<std::uint32_t>((kNew | shard.fresh.size()) + 1)};
      shard.fresh.push_back({before + token.at, hash, token.text, token.length, 0});
      shard.fresh_bytes += token.length;
    }
    token.first = slot->row - std::uint64_t{1};
  }
}

void IdTable::make_room() {
  std::uint64_t count = 0, bytes = 0;
  for (const Shard& shard : shards_) {
    count += shard.fresh.size();
    bytes += shard.fresh_bytes;
  }
  if (bytes_.size() + bytes > bytes_.capacity()) {
    bytes_.reserve(std::max(bytes_.size() + bytes, 2 * bytes_.capacity()));
  }
  if (offsets_.size() + count > offsets_.capacity()) {
    offsets_.reserve(std::max(offsets_.size() + count, 2 * offsets_.capacity()));
  }
}

void IdTable::number() {
  order_.clear();
  for (std::uint32_t s = 0; s < shards_.size(); ++s) {
    for (std::uint32_t n = 0; n < shards_[s].fresh.size(); ++n) {
      order_.push_back({shards_[s].fresh[n].position, s, n});
    }
  }
  if (shards_.size() > 1) {
    std::sort(order_.begin(), order_.end(),
              [](const Place& a, const Place& b) { return a.position < b.position; });
  }
  if (size() + order_.size() >= kNew) {
    fail_data("more than {} different ids; split the data", kNew - 1);
  }
  for (const Place& place : order_) {
    Fresh& fresh = shards_[place.shard].fresh[place.index];
    fresh.row = static_cast<Row>(size());
    bytes_.append(fresh.text, fresh.length);
    offsets_.push_back(bytes_.size());
  }
}

void IdTable::store_rows(std::size_t number) {
  Shard& shard = shards_[number];
  for (std::size_t n = 0; n < shard.fresh.size(); ++n) {
    const auto waiting = static_cast<std::uint32_t>((kNew | n) + 1);
    Probe probe(shard.fresh[n].hash, shard.slots.size());
    while (shard.slots[probe.at].row != waiting) probe.go_on();
    shard.slots[probe.at].row = shard.fresh[n].row + 1;
  }
}

void IdTable::end_round() {
  for (Shard& shard : shards_) {
    shard.fresh.clear();
    shard.fresh_bytes = 0;
  }
}

void IdTable::release_slots() {
  for (Shard& shard : shards_) shard = {};
  order_ = {};
}

Row IdTable::insert(std::string_view text) {
  IdToken token = id_token(text, 0);
  const std::size_t shard = shard_of(token, shards());
  look_up(shard, {&token, 1}, 0);
  number();
  store_rows(shard);
  const Row found = row(shard, token);
  end_round();
  return found;
}

Ids IdTable::take() {
  Ids ids = Ids::from_stored(std::exchange(bytes_, {}), std::exchange(offsets_, {0}));
  *this = IdTable(shards_.size());
  return ids;
}

}  // namespace evenkeel::data
