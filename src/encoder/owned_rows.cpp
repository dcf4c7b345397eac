// In: popularities. Out: cuts at whole buckets of rows.
#include "encoder/owned_rows.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/row_buckets.h"

namespace evenkeel::encoder {
namespace {

constexpr std::size_t kUsersTogether = 512;  // whole buckets of any table

// What a rank does in a step for a row that `entries` of it name: it sums their gradients, and
// moves the row if there are any.
double work_of(double entries) {
  return entries + 1 - std::exp(-entries);
}

// Work of rows [begin, end). Rows behind the data's own have none.
double work_of(std::span<const std::uint32_t> popularity, std::size_t begin, std::size_t end,
               double share, double drawn) {
  double work = 0;
  for (std::size_t row = begin; row < std::min(end, popularity.size()); ++row) {
    work += work_of(popularity[row] * share + drawn);
  }
  return work;
}

std::vector<std::size_t> cuts_of_items(const data::Dataset& data, std::size_t rows,
                                       std::span<const std::size_t> users, const Division& among) {
  const std::size_t ranks = users.size() - 1;
  const std::size_t bucket = std::size_t{1} << bucket_bits(rows);
  const double share = among.positives / static_cast<double>(std::max<std::size_t>(
                                             1, data.interactions()));  // of a pair in a step
  const double drawn = among.drawn / static_cast<double>(rows);
  std::vector<double> until{0};  // work of the buckets so far
  for (std::size_t begin = 0; begin < rows; begin += bucket) {
    until.push_back(until.back() +
                    work_of(data.item_popularity, begin, begin + bucket, share, drawn));
  }
  std::vector<double> wanted;  // of each rank
  double total = until.back();
  for (std::size_t r = 0; r < ranks; ++r) {
    wanted.push_back(work_of(data.user_popularity, users[r], users[r + 1], share, 0));
    total += wanted.back();
  }
  for (double& work : wanted) work = std::max(0.0, total / static_cast<double>(ranks) - work);
  double all = 0, so_far = 0;
  for (const double work : wanted) all += work;
  if (all <= 0) return cluster::even_cuts(rows, bucket, static_cast<int>(ranks));
  std::vector<std::size_t> cuts{0};
  for (std::size_t r = 0; r + 1 < ranks; ++r) {
    so_far += wanted[r];
    const double target = std::min(so_far / all, 1.0) * until.back();
    const auto after = std::lower_bound(until.begin() + 1, until.end(), target);
    const bool nearer = target - after[-1] < *after - target;
    const auto buckets = static_cast<std::size_t>(after - until.begin()) - (nearer ? 1 : 0);
    cuts.push_back(std::clamp(buckets * bucket, cuts.back(), rows));
  }
  cuts.push_back(rows);
  return cuts;
}

}  // namespace

OwnedRows owned_rows(const data::Dataset& data, ExtraRows extra, const Division& among) {
  if (among.ranks.alone()) return {};
  const std::size_t users = data.user_count() + extra.users;
  const std::size_t items = data.item_count() + extra.items;
  // Of so few rows that one rank would have them all, every rank has all.
  const std::vector<std::size_t> even =
      cluster::even_cuts(users, kUsersTogether, among.ranks.size());
  OwnedRows owned;
  if (users > kUsersTogether) owned.users = even;
  if (among.items && items > std::size_t{1} << bucket_bits(items)) {
    owned.items = cuts_of_items(data, items, even, among);
  }
  return owned;
}

}  // namespace evenkeel::encoder
