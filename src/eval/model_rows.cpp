// In: parts in one numbering. Out: parts in the model's numbering, and what had no place there.
#include "eval/model_rows.h"

#include <vector>

namespace evenkeel::eval {
namespace {

constexpr Row kNowhere = ~Row{0};

std::vector<Row> rows_in_model(const data::Ids& from, const data::Ids& model) {
  std::vector<Row> rows(from.size(), kNowhere);
  for (Row row = 0; row < from.size(); ++row) {
    if (const auto found = model.find(from.text(row))) rows[row] = *found;
  }
  return rows;
}

struct Mapping {
  std::vector<Row> users, items;
  std::vector<bool> unknown_tested;  // by the data's user row
};

data::Part mapped(const data::Part& part, const model::Model& model, Mapping& mapping,
                  LeftOut& left_out) {
  std::vector<Pair> pairs;
  for (std::size_t user = 0; user < part.items_of.rows(); ++user) {
    const auto items = part.items_of.row(user);
    if (items.empty()) continue;
    if (mapping.users[user] == kNowhere) {
      mapping.unknown_tested[user] = true;
      continue;
    }
    for (const Row item : items) {
      if (mapping.items[item] == kNowhere) {
        ++left_out.interactions;
      } else {
        pairs.push_back({mapping.users[user], mapping.items[item]});
      }
    }
  }
  return {part.name, data::make_csr(pairs, model.user_ids.size(), Side::kUser),
          part.own_candidates};
}

}  // namespace

data::Dataset in_model_rows(const data::Dataset& data, const model::Model& model,
                            LeftOut& left_out) {
  Mapping mapping{rows_in_model(data.users, model.user_ids),
                  rows_in_model(data.items, model.item_ids),
                  std::vector<bool>(data.user_count(), false)};
  data::Dataset result;
  result.name = data.name;
  result.users = model.user_ids;
  result.items = model.item_ids;
  result.items_of = model.known;
  result.users_of = data::transposed(model.known, model.item_ids.size());
  result.user_popularity = model.user_popularity;
  result.item_popularity = model.item_popularity;
  result.valid = mapped(data.valid, model, mapping, left_out);
  for (const data::Part& test : data.tests) {
    result.tests.push_back(mapped(test, model, mapping, left_out));
  }
  for (const bool unknown : mapping.unknown_tested) left_out.users += unknown ? 1 : 0;
  return result;
}

}  // namespace evenkeel::eval
