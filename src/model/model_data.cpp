// In: a model. Out: the pairs of its log as a data set, or as the items that a list must not hold.
#include "model/model_data.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"

namespace evenkeel::model {

data::Dataset dataset_of(const Model& model) {
  data::Csr valid;
  valid.offsets.assign(model.known.rows() + 1, 0);
  std::vector<data::Part> tests;
  for (const data::Part& part : model.held) {
    if (part.name == data::kValidName) {
      valid = part.items_of;
    } else {
      tests.push_back(part);
    }
  }
  const auto name = model.notes.find("data");
  data::Dataset data =
      data::dataset_of_rows(name != model.notes.end() ? name->second : "data", model.user_ids,
                            model.item_ids, model.known, std::move(valid), std::move(tests));
  data.seen = model.seen;
  return data;
}

data::Csr seen_items(const Model& model, std::span<const Row> users, bool rated_low) {
  data::Csr seen;
  seen.offsets.reserve(users.size() + 1);
  for (const Row user : users) {
    EVENKEEL_CHECK(user < model.known.rows());
    const auto begin = static_cast<std::ptrdiff_t>(seen.columns.size());
    const auto add = [&](std::span<const Row> row) {
      const auto middle = static_cast<std::ptrdiff_t>(seen.columns.size());
      seen.columns.insert(seen.columns.end(), row.begin(), row.end());
      std::inplace_merge(seen.columns.begin() + begin, seen.columns.begin() + middle,
                         seen.columns.end());
    };
    add(model.known.row(user));
    for (const data::Part& part : model.held) {
      if (part.items_of.count(user) > 0) add(part.items_of.row(user));
    }
    if (rated_low && model.seen.rows() > 0) add(model.seen.row(user));
    seen.columns.erase(std::unique(seen.columns.begin() + begin, seen.columns.end()),
                       seen.columns.end());
    seen.offsets.push_back(seen.columns.size());
  }
  return seen;
}

data::Csr seen_items(const Model& model) {
  std::vector<Row> users(model.known.rows());
  std::iota(users.begin(), users.end(), Row{0});
  return seen_items(model, users);
}

}  // namespace evenkeel::model
