// In: a number of items. Out: latencies and recall. Vectors lie around centres, as those of a
// trained model do; independent ones would be hard for any graph and like no catalogue.
#include "lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "base/rng.h"
#include "base/threads.h"
#include "model/model.h"
#include "rank/approximate_index.h"
#include "rank/model_lists.h"

namespace evenkeel::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kDim = 64, kUsers = 400, kK = 20;
constexpr std::uint32_t kCentres = 1000;
constexpr float kSpread = 0.7F;  // of a vector around its centre

float around_zero(const Random& random, std::uint32_t row, std::uint32_t column) {
  float sum = 0;
  for (const std::uint32_t word : random.words(row, column)) sum += static_cast<float>(word);
  return sum / 4294967296.0F - 2;
}

Matrix made_up(std::size_t rows, std::uint64_t seed) {
  const Random centres(1, Purpose::kMarket), own(seed, Purpose::kItemTable);
  Matrix table(rows, kDim);
  for (std::uint32_t row = 0; row < rows; ++row) {
    const std::uint32_t centre = own.word(row, kDim) % kCentres;
    for (std::uint32_t c = 0; c < kDim; ++c) {
      table.row(row)[c] = around_zero(centres, centre, c) + kSpread * around_zero(own, row, c);
    }
  }
  return table;
}

model::Model made_up_model(std::size_t items) {
  model::Model model;
  model.users = made_up(kUsers, 2);
  model.items = made_up(items, 3);
  model.item_popularity.assign(items, 1);
  model.user_popularity.assign(kUsers, 0);
  model.known.offsets.assign(kUsers + 1, 0);
  return model;
}

struct Latency {
  double fastest_tenth = 0, median = 0;  // ms
};

template <typename Ask>
Latency latency_of(Ask ask) {
  std::vector<double> times;
  for (std::size_t user = 0; user < kUsers; ++user) {
    const auto start = Clock::now();
    ask(user);
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  return {times[times.size() / 10], times[times.size() / 2]};
}

nlohmann::json told(const char* name, const Latency& latency, double recall) {
  fmt::print("{:12} {:>9.3f} ms  median {:>9.3f} ms  recall@{} {:.4f}\n", name,
             latency.fastest_tenth, latency.median, kK, recall);
  return {{"fastest_tenth_ms", latency.fastest_tenth},
          {"median_ms", latency.median},
          {"recall", recall}};
}

}  // namespace

nlohmann::json run_lists(std::size_t items) {
  fmt::print("\none list of {} out of {} items of {} numbers, one thread, fastest tenth of {}\n",
             kK, items, kDim, kUsers);
  const model::Model model = made_up_model(items);
  Threads threads;
  const rank::ModelLists lists(model, threads);
  const auto query = [&](std::size_t user) {
    return rank::ListQuery{model.users.values(user), kK, 0, {}, {}};
  };
  std::vector<rank::List> exact(kUsers);
  const auto ask = [&](std::size_t user) {
    const rank::ListQuery one = query(user);
    exact[user] = lists.ranking().rank(std::span(&one, 1)).front();
  };
  nlohmann::json report{{"items", items}, {"exact", told("exact", latency_of(ask), 1)}};
  if (!rank::ApproximateIndex::available()) return report;
  const auto start = Clock::now();
  const rank::ApproximateIndex index(lists, "", {.k = kK});
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  std::size_t found = 0, all = 0;
  const Latency near = latency_of([&](std::size_t user) {
    const rank::List list = index.rank(query(user));
    all += exact[user].size();
    for (const kernels::Ranked& entry : exact[user]) {
      found += std::count(list.begin(), list.end(), entry) > 0 ? 1 : 0;
    }
  });
  report["hnswlib"] = told("hnswlib", near, static_cast<double>(found) / static_cast<double>(all));
  report["hnswlib"]["build_seconds"] = seconds;
  fmt::print("{} candidates are looked at; the graph took {:.0f} s\n", index.candidates(), seconds);
  return report;
}

}  // namespace evenkeel::bench
