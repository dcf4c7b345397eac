// In: MarketOptions. Out: who liked what, who was shown what, and the log that came of it.
#include "data/synthetic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "base/rng.h"
#include "data/split.h"

namespace evenkeel::data {
namespace {

// The constants of docs/synthetic.md. They were set once, for a market whose long tail, density and
// share of liked items resemble public data; no training result had a say.
constexpr std::size_t kDim = 8;
constexpr std::uint32_t kGenres = 12;
constexpr double kSpread = 0.7;       // sd of a taste around its genre's centre
constexpr double kSteepness = 6.0;    // of the like probability in the cosine
constexpr double kThreshold = 0.4;    // cosine at which a like is a coin flip
constexpr double kAppealSd = 1.5;     // log-normal appeal: D_KL of sd^2 / 2 before saturation
constexpr double kActivitySd = 0.7;   // log-normal activity
constexpr double kSurveyShare = 0.1;  // pairs set aside for the unbiased test
constexpr double kMostLikedConsumed = 0.5;

// One stream of numbers for each ingredient.
enum Ingredient : std::uint32_t {
  kCentres,
  kUserGenre,
  kUserTaste,
  kItemGenre,
  kItemTaste,
  kAppeal,
  kActivity,
  kLikes,
  kSurvey,
  kArrival
};

using Taste = std::array<double, kDim>;

Random stream(const MarketOptions& options, Ingredient ingredient) {
  return Random(options.seed, Purpose::kMarket, ingredient);
}

Taste gaussian(const Random& random, std::uint32_t row) {
  Taste taste{};
  for (std::size_t k = 0; k < kDim; k += 2) {
    const auto pair = random.normals(row, static_cast<std::uint32_t>(k));
    taste[k] = pair[0];
    taste[k + 1] = pair[1];
  }
  return taste;
}

// Unit vectors around the centre of a random genre.
std::vector<Taste> tastes(const MarketOptions& options, std::int64_t count, Ingredient genre,
                          Ingredient noise) {
  const Random centres = stream(options, kCentres), genres = stream(options, genre);
  const Random noises = stream(options, noise);
  std::vector<Taste> out(static_cast<std::size_t>(count));
  for (std::uint32_t row = 0; row < out.size(); ++row) {
    const Taste centre = gaussian(centres, bounded(genres.word(row, 0), kGenres));
    Taste taste = gaussian(noises, row);
    double square = 0;
    for (std::size_t k = 0; k < kDim; ++k) {
      taste[k] = centre[k] + kSpread * taste[k];
      square += taste[k] * taste[k];
    }
    for (double& value : taste) value /= std::sqrt(square);
    out[row] = taste;
  }
  return out;
}

double like_probability(const Taste& user, const Taste& item) {
  double cosine = 0;
  for (std::size_t k = 0; k < kDim; ++k) cosine += user[k] * item[k];
  return 1 / (1 + std::exp(-kSteepness * (cosine - kThreshold)));
}

// Exposure weight of each item: appeal^bias.
std::vector<double> exposure(const MarketOptions& options) {
  const Random random = stream(options, kAppeal);
  std::vector<double> weights(static_cast<std::size_t>(options.items));
  for (std::uint32_t i = 0; i < weights.size(); ++i) {
    weights[i] = std::exp(options.bias * kAppealSd * random.normals(i, 0)[0]);
  }
  return weights;
}

// Interactions each user is after: log-normal shares of the total, at least one.
std::vector<std::size_t> activity(const MarketOptions& options) {
  const Random random = stream(options, kActivity);
  std::vector<double> shares(static_cast<std::size_t>(options.users));
  double total = 0;
  for (std::uint32_t u = 0; u < shares.size(); ++u) {
    shares[u] = std::exp(kActivitySd * random.normals(u, 0)[0]);
    total += shares[u];
  }
  std::vector<std::size_t> wanted(shares.size());
  double carried = 0;  // rounding is carried on, so that the sum is met
  for (std::size_t u = 0; u < shares.size(); ++u) {
    carried += shares[u] / total * static_cast<double>(options.interactions);
    wanted[u] = static_cast<std::size_t>(std::max(1.0, std::floor(carried)));
    carried -= static_cast<double>(wanted[u]);
  }
  return wanted;
}

struct UserOutcome {
  std::vector<Row> log;       // consumed items, in the order of exposure
  std::vector<Row> unbiased;  // liked items of the survey
};

class Society {
 public:
  explicit Society(const MarketOptions& options)
      : users_(tastes(options, options.users, kUserGenre, kUserTaste)),
        items_(tastes(options, options.items, kItemGenre, kItemTaste)),
        weights_(exposure(options)),
        activity_(activity(options)),
        likes_(stream(options, kLikes)),
        survey_(stream(options, kSurvey)),
        arrival_(stream(options, kArrival)) {}

  // Items are shown one after another, each next one with probability proportional to its weight
  // among those not shown yet: the order of arrival times Exp(1) / weight. The user consumes those
  // it likes until its activity is spent.
  UserOutcome live(std::uint32_t user) const {
    UserOutcome outcome;
    std::vector<std::pair<double, Row>> liked;
    for (std::uint32_t item = 0; item < items_.size(); ++item) {
      if (likes_.uniform(user, item) >= like_probability(users_[user], items_[item])) continue;
      if (survey_.uniform(user, item) < kSurveyShare) {
        outcome.unbiased.push_back(item);
        continue;
      }
      const double wait = -std::log(1 - arrival_.uniform(user, item));
      liked.emplace_back(wait / weights_[item], item);
    }
    const auto most =
        static_cast<std::size_t>(kMostLikedConsumed * static_cast<double>(liked.size()));
    const std::size_t count = std::min(activity_[user], most);
    std::partial_sort(liked.begin(), liked.begin() + static_cast<std::ptrdiff_t>(count),
                      liked.end());
    for (std::size_t n = 0; n < count; ++n) outcome.log.push_back(liked[n].second);
    return outcome;
  }

 private:
  std::vector<Taste> users_, items_;
  std::vector<double> weights_;
  std::vector<std::size_t> activity_;
  Random likes_, survey_, arrival_;
};

void check(const MarketOptions& options) {
  const auto cells = static_cast<double>(options.users) * static_cast<double>(options.items);
  if (options.users < 2 || options.items < 2 || options.users > (1 << 30) ||
      options.items > (1 << 30)) {
    fail_config("the market has {} users and {} items; give at least 2 of each", options.users,
                options.items);
  }
  if (options.interactions < options.users) {
    fail_config("--interactions is {}; give at least one for each of the {} users",
                options.interactions, options.users);
  }
  if (static_cast<double>(options.interactions) > 0.05 * cells) {
    fail_config(
        "--interactions is {}, more than 5 % of {} users x {} items; lower it or raise "
        "--users or --items",
        options.interactions, options.users, options.items);
  }
  if (!(options.bias >= 0 && options.bias <= 10)) {
    fail_config("--bias is {}; give a number from 0 to 10", options.bias);
  }
}

Ids numbered_ids(char letter, std::int64_t count) {
  Ids ids;
  ids.reserve(static_cast<std::size_t>(count));
  for (std::int64_t n = 0; n < count; ++n) ids.insert(fmt::format("{}{}", letter, n));
  return ids;
}

}  // namespace

Market make_market(const MarketOptions& options, Threads& threads, const std::atomic<bool>* stop) {
  check(options);
  const Society society(options);
  std::vector<UserOutcome> outcomes(static_cast<std::size_t>(options.users));
  threads.for_chunks(outcomes.size(), 64, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t u = begin; u < end; ++u) {
      if (stop != nullptr && *stop) return;
      outcomes[u] = society.live(static_cast<std::uint32_t>(u));
    }
  });
  if (stop != nullptr && *stop) throw Error(ErrorKind::kInterrupted, "the market was stopped");
  Interactions log;
  log.users = numbered_ids('u', options.users);
  log.items = numbered_ids('i', options.items);
  NamedPairs unbiased{"test_unbiased", {}};
  for (Row user = 0; user < outcomes.size(); ++user) {
    for (const Row item : outcomes[user].log) log.pairs.push_back({user, item});
    for (const Row item : outcomes[user].unbiased) unbiased.pairs.push_back({user, item});
  }
  const SplitPlan plan = split_balanced(log, options.seed);
  std::vector<NamedPairs> lists;
  for (const std::string& name : plan.names) lists.push_back({name, {}});
  for (std::size_t n = 0; n < log.pairs.size(); ++n) {
    lists[plan.part_of[n]].pairs.push_back(log.pairs[n]);
  }
  lists.push_back(std::move(unbiased));
  return {options, numbered("market", log.users, log.items, std::move(lists))};
}

Market make_market(const MarketOptions& options) {
  Threads threads(1);
  return make_market(options, threads);
}

std::span<const Field> market_fields() {
  static const std::vector<Field> fields{
      {"users", Value(std::int64_t{2000}), "users of the market", 2, 1 << 30, {}},
      {"items", Value(std::int64_t{1000}), "items of the market", 2, 1 << 30, {}},
      {"interactions", Value(std::int64_t{60000}), "interactions of the log", 1, 1e12, {}},
      {"bias",
       Value(1.0),
       "exposure goes with appeal to this power (0: every item alike)",
       0,
       10,
       {}},
      {"seed", Value(std::int64_t{1}), "random seed", 0, 9e15, {}},
  };
  return fields;
}

MarketOptions market_options(const Settings& settings) {
  MarketOptions options;
  options.users = settings.integer("users");
  options.items = settings.integer("items");
  options.interactions = settings.integer("interactions");
  options.bias = settings.number("bias");
  options.seed = static_cast<std::uint64_t>(settings.integer("seed"));
  return options;
}

nlohmann::json write_market(const std::string& folder, const Market& market) {
  const MarketOptions& options = market.options;
  const nlohmann::json manifest = {{"protocol", "balanced"},
                                   {"seed", options.seed},
                                   {"k_core", 0},
                                   {"source", "synthetic market"},
                                   {"options",
                                    {{"users", options.users},
                                     {"items", options.items},
                                     {"interactions", options.interactions},
                                     {"bias", options.bias},
                                     {"seed", options.seed}}}};
  return write_parts(folder, market.parts, manifest);
}

}  // namespace evenkeel::data
