// In: known rows and pairs. Out: the rows that were missing.
#include "rank/new_rows.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "kernels/rows.h"
#include "rank/fold_in.h"
#include "rank/usual_place.h"

namespace evenkeel::rank {
namespace {

constexpr Row kUnknown = ~Row{0};

double length_of(const Matrix& table, std::size_t row) {
  return std::sqrt(double{kernels::dot(table.row(row), table.row(row), table.stride())});
}

// The lengths of known rows, by popularity.
UsualValue usual_length(const GrowingSide& side) {
  UsualValue::Known known;
  for (std::size_t r = 0; r < side.known.size(); ++r) {
    if (side.known[r] != 0) known.emplace_back(side.others_of.count(r), static_cast<Row>(r));
  }
  const Matrix& vectors = side.vectors;
  return {std::move(known), [&vectors](Row row) { return length_of(vectors, row); }};
}

// A fold-in sets people against each other, not items: with few of them an item comes out too close
// to everybody. It is brought down to where items as popular stand.
UsualValue usual_height(const GrowingSide& items, const Audience& audience) {
  UsualValue::Known known;
  for (std::size_t r = 0; r < items.known.size(); ++r) {
    const std::size_t popularity = items.others_of.count(r);
    if (items.known[r] != 0 && popularity > 0) known.emplace_back(popularity, static_cast<Row>(r));
  }
  const Matrix& vectors = items.vectors;
  return {std::move(known),
          [&vectors, &audience](Row row) { return audience.height(vectors.row(row)); }};
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
bool fold_in_side(Side kind, GrowingSide& side, const GrowingSide& other, model::Score score,
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
  UsualValue lengths = usual_length(side);
  const Matrix folded = FoldIn(catalogue.vectors, score).users(neighbours, threads);
  std::optional<Audience> audience;
  std::optional<UsualValue> heights;
  if (kind == Side::kItem) {
    audience.emplace(catalogue.vectors, score);
    heights.emplace(usual_height(side, *audience));
  }
  for (std::size_t n = 0; n < found.size(); ++n) {
    float* row = side.vectors.row(found[n]);
    const std::size_t popularity = side.others_of.count(found[n]);
    kernels::scale_row(folded.row(n), folded.stride(), static_cast<float>(lengths.at(popularity)),
                       row);
    if (heights && !heights->empty()) audience->lower(row, heights->at(popularity));
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

NewRowsAlone fold_in_new_rows(GrowingSide users, GrowingSide items, model::Score score,
                              Threads& threads) {
  bool any = true;
  while (any) {
    any = fold_in_side(Side::kItem, items, users, score, threads);
    any = fold_in_side(Side::kUser, users, items, score, threads) || any;
  }
  const auto left = [](const GrowingSide& side) {
    return static_cast<std::size_t>(std::count(side.known.begin(), side.known.end(), 0));
  };
  const NewRowsAlone alone{left(users), left(items)};
  place_at_mean(users);
  fold_in_side(Side::kItem, items, users, score, threads);
  place_at_mean(items);
  return alone;
}

Matrix fold_in_items(const model::Model& model, const data::Csr& users_of, Threads& threads) {
  const Audience audience(model.users, model.score);
  UsualValue::Known all, chosen;  // `chosen`: by somebody
  for (Row item = 0; item < model.items.rows(); ++item) {
    const std::size_t popularity = model.item_popularity[item];
    all.emplace_back(popularity, item);
    if (popularity > 0) chosen.emplace_back(popularity, item);
  }
  UsualValue lengths(std::move(all), [&](Row item) { return length_of(model.items, item); });
  UsualValue heights(std::move(chosen),
                     [&](Row item) { return audience.height(model.items.row(item)); });
  Matrix items = FoldIn(model.users, model.score).users(users_of, threads);
  for (std::size_t r = 0; r < items.rows(); ++r) {
    const std::size_t popularity = users_of.count(r);
    const auto scale = static_cast<float>(lengths.at(popularity));
    kernels::scale_row(items.row(r), items.stride(), scale, items.row(r));
    if (!heights.empty()) audience.lower(items.row(r), heights.at(popularity));
  }
  return items;
}

}  // namespace evenkeel::rank
