// In: newer pairs. Out: a larger model.
#include "rank/extend.h"

#include <algorithm>

#include "base/error.h"
#include "rank/new_rows.h"

namespace evenkeel::rank {
namespace {

// Rows of the model: new ones for users (or items) of pairs, kNone for others that are new.
constexpr Row kNone = ~Row{0};

std::vector<Row> inserted(const data::Interactions& news, Row Pair::*side, const data::Ids& texts,
                          data::Ids& ids) {
  std::vector<Row> rows(texts.size(), kNone);
  for (const Pair& pair : news.pairs) {
    Row& row = rows[pair.*side];
    if (row == kNone) row = ids.insert(texts.text(pair.*side));
  }
  for (Row row = 0; row < texts.size(); ++row) {
    if (rows[row] == kNone) rows[row] = ids.find(texts.text(row)).value_or(kNone);
  }
  return rows;
}

bool any_known(const data::Ids& texts, const data::Ids& ids) {
  for (Row row = 0; row < texts.size(); ++row) {
    if (ids.find(texts.text(row))) return true;
  }
  return false;
}

// Vectors could only be the mean of all, the same for everybody.
void refuse_strangers(const model::Model& model, const data::Interactions& news) {
  if (any_known(news.users, model.user_ids) || any_known(news.items, model.item_ids)) return;
  fail_data(
      "none of the {} users and {} items of the new interactions is in the model, so nothing says "
      "where they stand; check their ids and columns, or train again",
      news.users.size(), news.items.size());
}

void grow(data::Csr& rows, std::size_t count) {
  rows.offsets.resize(count + 1, rows.offsets.back());
}

// Adds what is below --min-rating, where the model has a row for both; returns how many were new.
std::size_t add_seen(model::Model& model, const std::vector<Pair>& seen) {
  if (!seen.empty() && model.seen.rows() == 0) {
    model.seen = data::make_csr({}, model.user_ids.size(), Side::kUser);
  }
  if (model.seen.rows() == 0) return 0;
  grow(model.seen, model.user_ids.size());
  const std::size_t before = model.seen.size();
  data::PairList all;
  all.pairs = seen;
  all.add(model.seen);
  model.seen = data::make_csr(all, model.user_ids.size());
  return model.seen.size() - before;
}

Matrix grown(const Matrix& table, std::size_t rows) {
  Matrix larger(rows, table.dim());
  std::copy_n(table.data(), table.rows() * table.stride(), larger.data());
  return larger;
}

std::vector<std::uint32_t> counts_of(const data::Csr& rows) {
  std::vector<std::uint32_t> counts(rows.rows());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    counts[r] = static_cast<std::uint32_t>(rows.count(r));
  }
  return counts;
}

std::vector<std::uint8_t> first_known(std::size_t known, std::size_t all) {
  std::vector<std::uint8_t> flags(all, 0);
  std::fill_n(flags.begin(), known, std::uint8_t{1});
  return flags;
}

}  // namespace

Extension extend(model::Model& model, const data::Interactions& news, Threads& threads) {
  const std::size_t old_users = model.users.rows(), old_items = model.items.rows();
  refuse_strangers(model, news);
  const std::vector<Row> user_row = inserted(news, &Pair::user, news.users, model.user_ids);
  const std::vector<Row> item_row = inserted(news, &Pair::item, news.items, model.item_ids);
  const std::size_t users = model.user_ids.size(), items = model.item_ids.size();
  Extension extension{users - old_users, items - old_items};
  grow(model.known, users);
  for (data::Part& part : model.held) grow(part.items_of, users);

  data::PairList pairs;
  for (const Pair& pair : news.pairs) {
    const Pair now{user_row[pair.user], item_row[pair.item]};
    const bool held = std::any_of(
        model.held.begin(), model.held.end(),
        [&](const data::Part& part) { return part.items_of.contains(now.user, now.item); });
    if (held || model.known.contains(now.user, now.item)) {
      ++extension.known_pairs;
    } else {
      pairs.pairs.push_back(now);
    }
  }
  extension.new_pairs = pairs.pairs.size();
  std::vector<Pair> seen;
  for (const Pair& pair : news.seen) {
    const Pair now{user_row[pair.user], item_row[pair.item]};
    if (now.user != kNone && now.item != kNone) seen.push_back(now);
  }
  extension.seen_pairs = add_seen(model, seen);
  model.known.weights.clear();
  pairs.add(model.known);
  model.known = data::make_csr(pairs, users);
  const data::Csr users_of = data::transposed(model.known, items);

  model.users = grown(model.users, users);
  model.items = grown(model.items, items);
  auto known_users = first_known(old_users, users), known_items = first_known(old_items, items);
  const NewRowsAlone alone =
      fold_in_new_rows({model.users, known_users, model.known},
                       {model.items, known_items, users_of}, model.score, threads);
  extension.alone_users = alone.users;
  extension.alone_items = alone.items;
  model.user_popularity = counts_of(model.known);
  model.item_popularity = counts_of(users_of);
  model.extra_tables.clear();
  model.origin.fingerprint.clear();  // these pairs are no data set that somebody could load
  return extension;
}

}  // namespace evenkeel::rank
