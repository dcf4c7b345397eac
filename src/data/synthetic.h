// The synthetic market (docs/synthetic.md). In: sizes, the strength of popularity bias, a seed;
// out: a biased log cut by the balanced protocol, and a test that no exposure ever touched.
#pragma once

#include <atomic>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "base/settings.h"
#include "base/threads.h"
#include "data/parts.h"

namespace evenkeel::data {

struct MarketOptions {
  std::int64_t users = 2000;
  std::int64_t items = 1000;
  std::int64_t interactions = 60000;  // of the log; users who run out of liked items give fewer
  double bias = 1.0;                  // exposure ~ appeal^bias; 0 shows every item alike
  std::uint64_t seed = 1;
};

std::span<const Field> market_fields();  // users, items, interactions, bias, seed
MarketOptions market_options(const Settings& settings);

struct Market {
  MarketOptions options;
  Parts parts;  // train, valid; tests test_id, test_ood, test_unbiased; ids "u17", "i42"
};

Market make_market(const MarketOptions& options);
// The same at any thread count. `stop` may end it early with an error, kInterrupted.
Market make_market(const MarketOptions& options, Threads& threads,
                   const std::atomic<bool>* stop = nullptr);

// The folder of a split, with the options in its manifest (returned).
nlohmann::json write_market(const std::string& folder, const Market& market);

}  // namespace evenkeel::data
