// In: known rows and pairs. Out: the rows that were missing.
#include "rank/new_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/rows.h"
#include "rank/fold_in.h"

namespace evenkeel::rank {
namespace {

constexpr Row kUnknown = ~Row{0};
constexpr std::size_t kAlike = 64;  // rows whose mean length a new one takes

double length_of(const Matrix& table, std::size_t row) {
  return std::sqrt(double{kernels::dot(table.row(row), table.row(row), table.stride())});
}

// Mean lengths by popularity, of rows that are known.
class UsualLength {
 public:
  using Counted = std::vector<std::pair<std::size_t, Row>>;  // popularity and row
  UsualLength(const Matrix& vectors, Counted rows) {
    std::sort(rows.begin(), rows.end());
    sums_.push_back(0);
    for (const auto& [count, row] : rows) {
      counts_.push_back(count);
      sums_.push_back(sums_.back() + length_of(vectors, row));
    }
  }
  double at(std::size_t count) const {
    const std::size_t window = std::min(kAlike, counts_.size());
    if (window == 0) return 1;
    const auto [first, last] = std::equal_range(counts_.begin(), counts_.end(), count);
    const auto place = static_cast<std::size_t>(first + (last - first) / 2 - counts_.begin());
    const std::size_t half = window / 2;
    const std::size_t begin = std::min(place > half ? place - half : 0, counts_.size() - window);
    return (sums_[begin + window] - sums_[begin]) / static_cast<double>(window);
  }

 private:
  std::vector<std::size_t> counts_;  // ascending
  std::vector<double> sums_;         // of lengths before each of them
};

UsualLength::Counted known_counts(const GrowingSide& side) {
  UsualLength::Counted rows;
  for (std::size_t r = 0; r < side.known.size(); ++r) {
    if (side.known[r] != 0) rows.emplace_back(side.others_of.count(r), static_cast<Row>(r));
  }
  return rows;
}

// The known rows of a side, one after another, and where each stands.
struct KnownRows {
  Matrix vectors;
  std::vector<Row> place;  // by row; kUnknown where there is none
};

KnownRows known_rows(const GrowingSide& side) {
  KnownRows rows;
  rows.place.assign(side.known.size(), kUnknown);
  Row next = 0;
  for (std::size_t r = 0; r < side.known.size(); ++r) {
    if (side.known[r] != 0) rows.place[r] = next++;
  }
  rows.vectors = Matrix(next, side.vectors.dim());
  for (std::size_t r = 0; r < side.known.size(); ++r) {
    if (rows.place[r] == kUnknown) continue;
    std::copy_n(side.vectors.row(r), side.vectors.stride(), rows.vectors.row(rows.place[r]));
  }
  return rows;
}

// Folds in what `side` lacks and `other` can tell; whether there was anything.
bool fold_in_side(GrowingSide& side, const GrowingSide& other, model::Score score,
                  Threads& threads) {
  std::vector<Row> wanted;
  for (std::size_t r = 0; r < side.known.size(); ++r) {
    if (side.known[r] == 0) wanted.push_back(static_cast<Row>(r));
  }
  if (wanted.empty()) return false;
  const KnownRows catalogue = known_rows(other);
  if (catalogue.vectors.rows() == 0) return false;
  data::Csr neighbours;
  std::vector<Row> found;
  for (const Row row : wanted) {
    for (const Row column : side.others_of.row(row)) {
      if (catalogue.place[column] != kUnknown) {
        neighbours.columns.push_back(catalogue.place[column]);
      }
    }
    if (neighbours.columns.size() == neighbours.offsets.back()) continue;
    neighbours.offsets.push_back(neighbours.columns.size());
    found.push_back(row);
  }
  if (found.empty()) return false;
  const UsualLength lengths(side.vectors, known_counts(side));
  const Matrix folded = FoldIn(catalogue.vectors, score).users(neighbours, threads);
  for (std::size_t n = 0; n < found.size(); ++n) {
    const auto length = static_cast<float>(lengths.at(side.others_of.count(found[n])));
    kernels::scale_row(folded.row(n), folded.stride(), length, side.vectors.row(found[n]));
    side.known[found[n]] = 1;
  }
  return true;
}

// As a training places users without items: their list is what most people like.
void place_at_mean(GrowingSide& side) {
  const KnownRows rows = known_rows(side);
  std::vector<double> sum(rows.vectors.dim(), 0.0);
  for (std::size_t r = 0; r < rows.vectors.rows(); ++r) {
    for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += double{rows.vectors.row(r)[c]};
  }
  const auto count = static_cast<double>(std::max<std::size_t>(1, rows.vectors.rows()));
  for (std::size_t r = 0; r < side.known.size(); ++r) {
    if (side.known[r] != 0) continue;
    for (std::size_t c = 0; c < sum.size(); ++c) {
      side.vectors.row(r)[c] = static_cast<float>(sum[c] / count);
    }
    side.known[r] = 1;
  }
}

}  // namespace

void fold_in_new_rows(GrowingSide users, GrowingSide items, model::Score score, Threads& threads) {
  bool any = true;
  while (any) {
    any = fold_in_side(items, users, score, threads);
    any = fold_in_side(users, items, score, threads) || any;
  }
  place_at_mean(users);
  fold_in_side(items, users, score, threads);
  place_at_mean(items);
}

Matrix fold_in_items(const model::Model& model, const data::Csr& users_of, Threads& threads) {
  UsualLength::Counted rows;
  for (Row item = 0; item < model.items.rows(); ++item) {
    rows.emplace_back(model.item_popularity[item], item);
  }
  const UsualLength lengths(model.items, std::move(rows));
  Matrix items = FoldIn(model.users, model.score).users(users_of, threads);
  for (std::size_t r = 0; r < items.rows(); ++r) {
    const auto length = static_cast<float>(lengths.at(users_of.count(r)));
    kernels::scale_row(items.row(r), items.stride(), length, items.row(r));
  }
  return items;
}

}  // namespace evenkeel::rank
