// In: a data set. Out: counts and the two readings of D_KL for each part.
#include "data/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/groups.h"

namespace evenkeel::data {
namespace {

constexpr std::size_t kGroups = 50;

// sum p ln(bins p); bins may exceed counts.size(), the missing ones are empty.
double dkl_over(std::span<const std::uint64_t> counts, std::size_t bins) {
  const auto total =
      static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  double sum = 0;
  for (const std::uint64_t count : counts) {
    if (count == 0) continue;
    const double p = static_cast<double>(count) / total;
    sum += p * std::log(static_cast<double>(bins) * p);
  }
  return sum;
}

PartStatistics part_statistics(std::string name, const Csr& items_of, const Dataset& data) {
  PartStatistics part;
  part.name = std::move(name);
  part.interactions = items_of.size();
  std::vector<std::uint64_t> counts(data.item_count());
  for (const Row item : items_of.columns) ++counts[item];
  for (std::size_t u = 0; u < items_of.rows(); ++u) part.users += items_of.count(u) > 0 ? 1 : 0;
  part.items = static_cast<std::size_t>(
      std::count_if(counts.begin(), counts.end(), [](std::uint64_t c) { return c > 0; }));
  part.dkl = dkl_from_uniform(counts);
  part.dkl_grouped = dkl_grouped(counts, data.item_popularity);
  return part;
}

// Parts may share pairs (given splits do), so each user's lists are joined first.
std::size_t different_pairs(const Dataset& data) {
  std::size_t total = 0;
  std::vector<Row> joined;
  for (std::size_t u = 0; u < data.user_count(); ++u) {
    joined.clear();
    const auto append = [&](const Csr& part) {
      joined.insert(joined.end(), part.row(u).begin(), part.row(u).end());
    };
    append(data.items_of);
    append(data.valid.items_of);
    for (const Part& test : data.tests) append(test.items_of);
    std::sort(joined.begin(), joined.end());
    total += static_cast<std::size_t>(std::unique(joined.begin(), joined.end()) - joined.begin());
  }
  return total;
}

}  // namespace

double dkl_from_uniform(std::span<const std::uint64_t> counts) {
  return dkl_over(counts, counts.size());
}

double dkl_grouped(std::span<const std::uint64_t> counts,
                   std::span<const std::uint32_t> train_popularity) {
  const std::vector<Row> order = rows_by_popularity(train_popularity);
  const std::size_t size = std::max<std::size_t>(1, (order.size() + kGroups - 1) / kGroups);
  std::vector<std::uint64_t> groups(kGroups);
  for (std::size_t n = 0; n < order.size(); ++n) groups[n / size] += counts[order[n]];
  return dkl_over(groups, kGroups);
}

Statistics make_statistics(const Dataset& data) {
  Statistics out;
  out.name = data.name;
  out.users = data.user_count();
  out.items = data.item_count();
  out.interactions = different_pairs(data);
  const double cells = static_cast<double>(out.users) * static_cast<double>(out.items);
  out.density = cells > 0 ? static_cast<double>(out.interactions) / cells : 0;
  out.parts.push_back(part_statistics("train", data.items_of, data));
  if (data.valid.interactions() > 0) {
    out.parts.push_back(part_statistics("valid", data.valid.items_of, data));
  }
  for (const Part& test : data.tests) {
    out.parts.push_back(part_statistics(test.name, test.items_of, data));
  }
  return out;
}

nlohmann::json to_json(const Statistics& statistics) {
  nlohmann::json parts = nlohmann::json::object();
  for (const PartStatistics& part : statistics.parts) {
    parts[part.name] = {{"users", part.users},
                        {"items", part.items},
                        {"interactions", part.interactions},
                        {"dkl", part.dkl},
                        {"dkl_grouped", part.dkl_grouped}};
  }
  return {{"name", statistics.name},       {"users", statistics.users},
          {"items", statistics.items},     {"interactions", statistics.interactions},
          {"density", statistics.density}, {"parts", std::move(parts)}};
}

}  // namespace evenkeel::data
