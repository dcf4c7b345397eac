// The order of an epoch among ranks. In: the training pairs of each rank's own users; out: the
// samples that positives_by_interaction() would list, window by window on every rank, while no rank
// keeps the whole list.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cluster/cluster.h"
#include "sampler/positives.h"

namespace evenkeel::sampler {

// Rank r has users [users_of_rank[r], users_of_rank[r + 1]). An epoch takes 4.5 bytes per pair of
// those users and 3/16 of a byte per pair of all users; between epochs that memory is given back.
class DividedOrder final : public Positives {
 public:
  DividedOrder(const data::Csr& items_of, std::size_t items, std::uint64_t seed,
               std::span<const std::size_t> users_of_rank, cluster::Cluster& ranks);

  // All are called by every rank, alike.
  void begin_epoch(std::uint32_t epoch) override;
  void end_epoch() override;
  std::span<const Pair> samples(std::size_t first, std::size_t count) override;
  std::size_t size() const override { return pairs_of_rank_.back(); }

 private:
  static constexpr std::size_t kHinted = 32;  // own pairs between two hints
  static constexpr std::size_t kLists = 8;    // of own pairs by place, one after the other
  struct Placed {
    std::uint32_t place;  // in the window
    Pair pair;
  };
  void exchange_stretch(std::size_t begin, std::size_t end, std::size_t owner);
  void mark_places();
  void list_places(std::size_t begin, std::size_t end);
  void fetch_window(std::size_t begin, std::size_t end);
  std::size_t own_before(std::size_t place) const;
  Pair own_pair(std::uint32_t index) const;
  std::size_t rank() const { return static_cast<std::size_t>(ranks_.rank()); }

  const data::Csr& items_of_;
  std::uint64_t seed_;
  cluster::Cluster& ranks_;
  std::vector<std::size_t> pairs_of_rank_;  // cuts of all pairs before they are shuffled
  Row first_user_ = 0;                      // of this rank
  std::vector<std::uint32_t> starts_;       // by own user: its first own pair
  std::vector<Row> hints_;                  // own user of every kHinted-th own pair
  std::vector<std::uint32_t> places_;       // in the epoch, of own pairs
  std::vector<std::uint64_t> taken_;        // a bit per place of the epoch: an own pair's
  std::vector<std::uint32_t> counts_;       // bits before every 64th place
  std::vector<std::uint32_t> order_;        // own pairs of places [listed_, listed_end_), by place
  std::size_t listed_ = 0, listed_end_ = 0;

  std::vector<std::uint32_t> partners_, arriving_, leaving_;  // of a stretch
  std::vector<Placed> placed_;
  std::vector<Pair> window_;
  std::size_t window_begin_ = 0;
};

// For the table of sample orders.
std::unique_ptr<Positives> divided_by_interaction(const data::Csr& items_of, std::size_t items,
                                                  std::uint64_t seed,
                                                  std::span<const std::size_t> users_of_rank,
                                                  cluster::Cluster& ranks);

}  // namespace evenkeel::sampler
