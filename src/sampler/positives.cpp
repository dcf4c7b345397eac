// In: CSR of training pairs. Out: the epoch's samples, shuffled in place.
#include "sampler/positives.h"

#include <utility>

#include "base/rng.h"

namespace evenkeel::sampler {
namespace {

std::vector<Row> users_with_choice(const data::Csr& items_of, std::size_t items) {
  std::vector<Row> users;
  for (std::size_t u = 0; u < items_of.rows(); ++u) {
    const std::size_t owned = items_of.count(u);
    if (owned > 0 && owned < items) users.push_back(static_cast<Row>(u));
  }
  return users;
}

void shuffle(std::vector<Pair>& pairs, std::uint64_t seed, std::uint32_t epoch) {
  const Random random(seed, Purpose::kShuffle, epoch);
  Draws draws(random, 0);
  for (std::size_t left = pairs.size(); left > 1; --left) {
    std::swap(pairs[left - 1], pairs[draws.below(static_cast<std::uint32_t>(left))]);
  }
}

class Order : public Positives {
 public:
  Order(const data::Csr& items_of, std::size_t items, std::uint64_t seed)
      : items_of_(items_of), users_(users_with_choice(items_of, items)), seed_(seed) {
    pairs_.reserve(items_of.size());
  }
  void begin_epoch(std::uint32_t epoch) final {
    pairs_.clear();
    fill(epoch);
    shuffle(pairs_, seed_, epoch);
  }
  std::span<const Pair> samples() const final { return pairs_; }
  std::size_t size() const final {
    std::size_t samples = 0;
    for (const Row user : users_) samples += items_of_.count(user);
    return samples;
  }

 protected:
  virtual void fill(std::uint32_t epoch) = 0;
  const data::Csr& items_of_;
  std::vector<Row> users_;
  std::uint64_t seed_;
  std::vector<Pair> pairs_;
};

class ByInteraction final : public Order {
  using Order::Order;
  void fill(std::uint32_t) override {
    for (const Row user : users_) {
      for (const Row item : items_of_.row(user)) pairs_.push_back({user, item});
    }
  }
};

class ByUser final : public Order {
  using Order::Order;
  void fill(std::uint32_t epoch) override {
    const std::size_t samples = size();
    const Random random(seed_, Purpose::kPositives, epoch);
    for (std::size_t k = 0; k < samples; ++k) {
      const Row user = users_[k % users_.size()];
      const auto owned = items_of_.row(user);
      const std::uint32_t word = random.word(static_cast<std::uint32_t>(k), 0);
      pairs_.push_back({user, owned[bounded(word, static_cast<std::uint32_t>(owned.size()))]});
    }
  }
};

}  // namespace

std::unique_ptr<Positives> positives_by_interaction(const data::Csr& items_of, std::size_t items,
                                                    std::uint64_t seed) {
  return std::make_unique<ByInteraction>(items_of, items, seed);
}

std::unique_ptr<Positives> positives_by_user(const data::Csr& items_of, std::size_t items,
                                             std::uint64_t seed) {
  return std::make_unique<ByUser>(items_of, items, seed);
}

}  // namespace evenkeel::sampler
