// In: newer pairs. Out: a larger model.
#include "rank/extend.h"

#include <algorithm>

#include "rank/new_rows.h"

namespace evenkeel::rank {
namespace {

std::vector<Row> inserted(const data::Ids& news, data::Ids& ids) {
  std::vector<Row> rows(news.size());
  for (Row row = 0; row < news.size(); ++row) rows[row] = ids.insert(news.text(row));
  return rows;
}

Matrix grown(const Matrix& table, std::size_t rows) {
  Matrix larger(rows, table.dim());
  std::copy_n(table.data(), table.rows() * table.stride(), larger.data());
  return larger;
}

void grow(data::Csr& rows, std::size_t count) {
  rows.offsets.resize(count + 1, rows.offsets.back());
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
  const std::vector<Row> user_row = inserted(news.users, model.user_ids);
  const std::vector<Row> item_row = inserted(news.items, model.item_ids);
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
  model.known.weights.clear();
  pairs.add(model.known);
  model.known = data::make_csr(pairs, users);
  const data::Csr users_of = data::transposed(model.known, items);

  model.users = grown(model.users, users);
  model.items = grown(model.items, items);
  auto known_users = first_known(old_users, users), known_items = first_known(old_items, items);
  fold_in_new_rows({model.users, known_users, model.known}, {model.items, known_items, users_of},
                   model.score, threads);
  model.user_popularity = counts_of(model.known);
  model.item_popularity = counts_of(users_of);
  model.extra_tables.clear();
  model.origin.fingerprint.clear();  // these pairs are no data set that somebody could load
  return extension;
}

}  // namespace evenkeel::rank
