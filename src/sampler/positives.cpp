// In: CSR of training pairs. Out: the epoch's samples, shuffled in place.
#include "sampler/positives.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/rng.h"

namespace evenkeel::sampler {
namespace {

double weight_of(const data::Csr& items_of, std::size_t user) {
  if (items_of.weights.empty()) return static_cast<double>(items_of.count(user));
  double sum = 0;
  for (std::uint64_t at = items_of.offsets[user]; at < items_of.offsets[user + 1]; ++at) {
    sum += double{items_of.weights[at]};
  }
  return sum;
}

std::vector<Row> users_with_choice(const data::Csr& items_of, std::size_t items) {
  std::vector<Row> users;
  for (std::size_t u = 0; u < items_of.rows(); ++u) {
    const std::size_t owned = items_of.count(u);
    if (owned > 0 && owned < items && weight_of(items_of, u) > 0) {
      users.push_back(static_cast<Row>(u));
    }
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
    check_countable(items_of.size());
    pairs_.reserve(items_of.size());
  }
  void begin_epoch(std::uint32_t epoch) final {
    pairs_.clear();
    fill(epoch);
    shuffle(pairs_, seed_, epoch);
  }
  std::span<const Pair> samples(std::size_t first, std::size_t count) final {
    return std::span<const Pair>(pairs_).subspan(first, count);
  }
  std::size_t size() const final {
    std::size_t samples = 0;
    for (const Row user : users_) samples += items_of_.count(user);
    return samples;
  }

 protected:
  virtual void fill(std::uint32_t epoch) = 0;
  std::span<const float> weights(std::size_t user) const {
    return std::span(items_of_.weights).subspan(items_of_.offsets[user], items_of_.count(user));
  }
  const data::Csr& items_of_;
  std::vector<Row> users_;
  std::uint64_t seed_;
  std::vector<Pair> pairs_;
};

class ByInteraction final : public Order {
  using Order::Order;
  void fill(std::uint32_t epoch) override {
    if (!items_of_.weights.empty()) return fill_weighted(epoch);
    for (const Row user : users_) {
      for (const Row item : items_of_.row(user)) pairs_.push_back({user, item});
    }
  }
  // Systematic sampling: the pairs lie on a line, each as long as its weight, and marks in equal
  // distances, from a random place on, say which are taken. Each pair's count differs from its
  // expectation by less than one.
  void fill_weighted(std::uint32_t epoch) {
    const std::size_t samples = size();
    double total = 0;
    for (const Row user : users_) {
      for (const float weight : weights(user)) total += double{weight};
    }
    const Random random(seed_, Purpose::kPositives, epoch);
    const double first = (static_cast<double>(random.word(0, 0)) + 0.5) * 0x1.0p-32;
    double passed = 0;
    for (const Row user : users_) {
      const auto owned = items_of_.row(user);
      const auto weighed = weights(user);
      for (std::size_t k = 0; k < owned.size(); ++k) {
        passed += double{weighed[k]};
        const double marks = passed * static_cast<double>(samples) / total + first;
        while (weighed[k] > 0 && pairs_.size() < samples &&
               static_cast<double>(pairs_.size() + 1) <= marks) {
          pairs_.push_back({user, owned[k]});
        }
      }
    }
    while (pairs_.size() < samples) pairs_.push_back(pairs_.back());  // rounding at the far end
  }
};

class ByUser final : public Order {
 public:
  ByUser(const data::Csr& items_of, std::size_t items, std::uint64_t seed)
      : Order(items_of, items, seed) {
    sums_.reserve(items_of.weights.size());
    for (std::size_t u = 0; u < items_of.rows() && !items_of.weights.empty(); ++u) {
      double sum = 0;
      for (const float weight : weights(u)) sums_.push_back(sum += double{weight});
    }
  }

 private:
  void fill(std::uint32_t epoch) override {
    const std::size_t samples = size();
    const Random random(seed_, Purpose::kPositives, epoch);
    for (std::size_t k = 0; k < samples; ++k) {
      const Row user = users_[k % users_.size()];
      const auto owned = items_of_.row(user);
      const std::uint32_t word = random.word(static_cast<std::uint32_t>(k), 0);
      pairs_.push_back(
          {user, owned[sums_.empty() ? bounded(word, count_of(owned)) : drawn(user, word)]});
    }
  }
  static std::uint32_t count_of(std::span<const Row> owned) {
    return static_cast<std::uint32_t>(owned.size());
  }
  // The place among a user's items at which the sum of weights passes a random share of it.
  std::size_t drawn(Row user, std::uint32_t word) const {
    const auto begin = sums_.begin() + static_cast<std::ptrdiff_t>(items_of_.offsets[user]);
    const auto end = sums_.begin() + static_cast<std::ptrdiff_t>(items_of_.offsets[user + 1]);
    const double wanted = static_cast<double>(word) * 0x1.0p-32 * *(end - 1);
    return static_cast<std::size_t>(std::upper_bound(begin, end, wanted) - begin);
  }
  std::vector<double> sums_;  // of weights inside each row; empty without weights
};

}  // namespace

void check_countable(std::size_t pairs) {
  constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max();
  if (pairs > kMost) {
    fail_data(
        "{} training pairs are more than the {} that one training can number; train on a part",
        pairs, kMost);
  }
}

std::unique_ptr<Positives> positives_by_interaction(const data::Csr& items_of, std::size_t items,
                                                    std::uint64_t seed) {
  return std::make_unique<ByInteraction>(items_of, items, seed);
}

std::unique_ptr<Positives> positives_by_user(const data::Csr& items_of, std::size_t items,
                                             std::uint64_t seed) {
  return std::make_unique<ByUser>(items_of, items, seed);
}

}  // namespace evenkeel::sampler
