// In: pairs by rank. Out: the epoch's samples. The shuffle of positives.cpp swaps place t, from the
// last one down, with a partner at or before it. Followed from the first place up, the same swaps
// tell where each pair ends: pair t takes the place of its partner, and its partner's is t from
// then on. Places of pairs before a stretch change by numbers that every rank can draw, so each
// rank follows its own pairs and hands on what leaves them for a later rank's.
#include "sampler/divided_order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "base/error.h"
#include "base/rng.h"

namespace evenkeel::sampler {
namespace {

constexpr std::size_t kStretch = std::size_t{1} << 20;  // pairs that ranks follow between messages
constexpr std::size_t kWindow = std::size_t{1} << 16;   // samples fetched together, at least
constexpr std::size_t kAhead = 16;

// The partner of place t in a shuffle of `size` pairs: one word for each place, from the last on.
class Partners {
 public:
  Partners(std::uint64_t seed, std::uint32_t epoch, std::size_t size)
      : random_(seed, Purpose::kShuffle, epoch), size_(size) {}
  std::uint32_t of(std::size_t t) {
    const std::size_t draw = size_ - 1 - t;
    if (draw / 4 != drawn_) {
      drawn_ = draw / 4;
      words_ = random_.words(0, static_cast<std::uint32_t>(drawn_));
    }
    return bounded(words_[draw % 4], static_cast<std::uint32_t>(t + 1));
  }

 private:
  Random random_;
  std::size_t size_, drawn_ = std::numeric_limits<std::size_t>::max();
  std::array<std::uint32_t, 4> words_{};
};

// Assigning {} would keep the memory.
template <typename T>
void give_back(std::vector<T>& values) {
  values = std::vector<T>();
}

std::size_t pairs_of(const data::Csr& items_of, std::size_t items, std::size_t user) {
  const std::size_t owned = items_of.count(user);
  return owned < items ? owned : 0;  // nothing is left to compare the items with
}

}  // namespace

DividedOrder::DividedOrder(const data::Csr& items_of, std::size_t items, std::uint64_t seed,
                           std::span<const std::size_t> users_of_rank, cluster::Cluster& ranks)
    : items_of_(items_of), seed_(seed), ranks_(ranks), pairs_of_rank_{0} {
  EVENKEEL_CHECK(items_of.weights.empty());
  EVENKEEL_CHECK(users_of_rank.size() == static_cast<std::size_t>(ranks.size()) + 1);
  for (std::size_t r = 0; r + 1 < users_of_rank.size(); ++r) {
    const std::size_t end = std::min(users_of_rank[r + 1], items_of.rows());
    std::size_t pairs = 0;
    for (std::size_t u = users_of_rank[r]; u < end; ++u) {
      if (r == rank()) starts_.push_back(static_cast<std::uint32_t>(pairs));
      const std::size_t more = pairs_of(items_of, items, u);
      for (std::size_t k = (pairs + kHinted - 1) / kHinted * kHinted;
           r == rank() && k < pairs + more; k += kHinted) {
        hints_.push_back(static_cast<Row>(u - users_of_rank[r]));
      }
      pairs += more;
    }
    if (r == rank()) starts_.push_back(static_cast<std::uint32_t>(pairs));
    pairs_of_rank_.push_back(pairs_of_rank_.back() + pairs);
  }
  check_countable(size());
  first_user_ = static_cast<Row>(users_of_rank[rank()]);
}

void DividedOrder::begin_epoch(std::uint32_t epoch) {
  end_epoch();
  places_.resize(pairs_of_rank_[rank() + 1] - pairs_of_rank_[rank()]);
  Partners partners(seed_, epoch, size());
  for (std::size_t owner = 0; owner + 1 < pairs_of_rank_.size(); ++owner) {
    const std::size_t last = pairs_of_rank_[owner + 1];
    for (std::size_t begin = pairs_of_rank_[owner]; begin < last; begin += kStretch) {
      const std::size_t end = std::min(last, begin + kStretch);
      partners_.clear();
      for (std::size_t t = begin; rank() <= owner && t < end; ++t) {
        partners_.push_back(t == 0 ? 0 : partners.of(t));
      }
      exchange_stretch(begin, end, owner);
    }
  }
  for (auto* values : {&partners_, &arriving_, &leaving_}) give_back(*values);
  mark_places();
}

void DividedOrder::end_epoch() {
  window_.clear();
  window_begin_ = listed_ = listed_end_ = 0;
  for (auto* values : {&places_, &counts_, &order_}) give_back(*values);
  give_back(taken_);
}

// The rank that owns pairs [begin, end) receives the places that they take over from pairs of the
// ranks before it.
void DividedOrder::exchange_stretch(std::size_t begin, std::size_t end, std::size_t owner) {
  const std::size_t first = pairs_of_rank_[rank()], last = pairs_of_rank_[rank() + 1];
  const auto ranks = static_cast<std::size_t>(ranks_.size());
  const auto owner_of = [&](std::uint32_t pair) {
    return static_cast<std::size_t>(
        std::upper_bound(pairs_of_rank_.begin(), pairs_of_rank_.end(), std::size_t{pair}) -
        pairs_of_rank_.begin() - 1);
  };
  leaving_.clear();
  std::vector<std::size_t> send(ranks + 1, 0), receive(ranks + 1, 0);
  if (rank() < owner) {
    for (std::size_t t = begin; t < end; ++t) {
      const std::uint32_t partner = partners_[t - begin];
      if (partner < first || partner >= last) continue;
      leaving_.push_back(places_[partner - first]);
      places_[partner - first] = static_cast<std::uint32_t>(t);
    }
    std::fill(send.begin() + static_cast<std::ptrdiff_t>(owner) + 1, send.end(),
              leaving_.size() * sizeof(std::uint32_t));
  } else if (rank() == owner) {
    for (const std::uint32_t partner : partners_) {
      if (partner < first) receive[owner_of(partner) + 1] += sizeof(std::uint32_t);
    }
    for (std::size_t r = 0; r < ranks; ++r) receive[r + 1] += receive[r];
    arriving_.resize(receive.back() / sizeof(std::uint32_t));
  }
  ranks_.exchange(leaving_.data(), send, arriving_.data(), receive);
  if (rank() != owner) return;
  std::vector<std::size_t> next;  // by rank, in arriving_
  next.reserve(receive.size());
  for (const std::size_t cut : receive) next.push_back(cut / sizeof(std::uint32_t));
  for (std::size_t t = begin; t < end; ++t) {
    const std::uint32_t partner = partners_[t - begin];
    std::uint32_t& place = places_[t - first];
    if (partner < first) {
      place = arriving_[next[owner_of(partner)]++];
      continue;
    }
    place = static_cast<std::uint32_t>(t);
    std::swap(place, places_[partner - first]);
  }
}

void DividedOrder::mark_places() {
  taken_.assign(size() / 64 + 1, 0);
  for (const std::uint32_t place : places_) taken_[place / 64] |= std::uint64_t{1} << place % 64;
  counts_.reserve(taken_.size());
  std::uint32_t count = 0;
  for (const std::uint64_t word : taken_) {
    counts_.push_back(count);
    count += static_cast<std::uint32_t>(std::popcount(word));
  }
}

// From `begin` on, to `end` at least. The whole list beside the places would take twice their
// memory; so a part of it is made when a window needs it.
void DividedOrder::list_places(std::size_t begin, std::size_t end) {
  listed_ = begin;
  listed_end_ = std::max(end, std::min(size(), begin + size() / kLists + 1));
  const std::size_t before = own_before(listed_);
  give_back(order_);
  order_.resize(own_before(listed_end_) - before);
  const auto first = static_cast<std::uint32_t>(listed_);
  const auto wanted = static_cast<std::uint32_t>(listed_end_ - listed_);
  std::array<std::uint32_t, 1024> listed;
  for (std::size_t block = 0; block < places_.size(); block += listed.size()) {
    const std::size_t end = std::min(block + listed.size(), places_.size());
    std::size_t count = 0;
    for (std::size_t k = block; k < end; ++k) {  // no branch to mispredict
      listed[count] = static_cast<std::uint32_t>(k);
      count += places_[k] - first < wanted ? 1 : 0;  // what is below `first` wraps round
    }
    for (std::size_t n = 0; n < count; ++n) {
      order_[own_before(places_[listed[n]]) - before] = listed[n];
    }
  }
}

std::size_t DividedOrder::own_before(std::size_t place) const {
  const std::uint64_t below = (std::uint64_t{1} << place % 64) - 1;
  return counts_[place / 64] + static_cast<std::size_t>(std::popcount(taken_[place / 64] & below));
}

Pair DividedOrder::own_pair(std::uint32_t index) const {
  std::size_t user = hints_[index / kHinted];
  while (starts_[user + 1] <= index) ++user;
  const Row row = first_user_ + static_cast<Row>(user);
  return {row, items_of_.row(row)[index - starts_[user]]};
}

std::span<const Pair> DividedOrder::samples(std::size_t first, std::size_t count) {
  const bool fetched =
      first >= window_begin_ && first + count <= window_begin_ + window_.size() && count > 0;
  if (!fetched && count > 0) {
    const std::size_t batches = std::max<std::size_t>(1, kWindow / count);
    fetch_window(first, std::min(size(), first + batches * count));
  }
  return std::span<const Pair>(window_).subspan(first - window_begin_, count);
}

void DividedOrder::fetch_window(std::size_t begin, std::size_t end) {
  const auto ranks = static_cast<std::size_t>(ranks_.size());
  if (begin < listed_ || end > listed_end_) list_places(begin, end);
  const std::size_t next = own_before(begin) - own_before(listed_);
  const std::size_t own = own_before(end) - own_before(begin);
  std::vector<std::uint64_t> counts(ranks, 0);
  counts[rank()] = own;
  ranks_.sum(counts);
  std::vector<std::size_t> cuts(ranks + 1, 0);
  for (std::size_t r = 0; r < ranks; ++r) cuts[r + 1] = cuts[r] + counts[r] * sizeof(Placed);
  EVENKEEL_CHECK(cuts.back() == (end - begin) * sizeof(Placed));
  placed_.resize(end - begin);
  Placed* out = placed_.data() + cuts[rank()] / sizeof(Placed);
  std::size_t k = 0;
  for (std::size_t word = begin / 64; word * 64 < end; ++word) {
    for (std::uint64_t left = taken_[word]; left != 0; left &= left - 1) {
      const std::size_t place = word * 64 + static_cast<std::size_t>(std::countr_zero(left));
      if (place < begin || place >= end) continue;
      if (next + k + kAhead < order_.size()) {
        __builtin_prefetch(&hints_[order_[next + k + kAhead] / kHinted]);
      }
      out[k] = {static_cast<std::uint32_t>(place - begin), own_pair(order_[next + k])};
      ++k;
    }
  }
  EVENKEEL_CHECK(k == own);
  ranks_.gather_all(placed_.data(), cuts);
  window_.resize(end - begin);
  window_begin_ = begin;
  for (const Placed& placed : placed_) window_[placed.place] = placed.pair;
}

std::unique_ptr<Positives> divided_by_interaction(const data::Csr& items_of, std::size_t items,
                                                  std::uint64_t seed,
                                                  std::span<const std::size_t> users_of_rank,
                                                  cluster::Cluster& ranks) {
  return std::make_unique<DividedOrder>(items_of, items, seed, users_of_rank, ranks);
}

}  // namespace evenkeel::sampler
