// In: ids and pairs of every part. Out: the data set with CSR both ways and popularity.
#include "data/dataset.h"

#include <utility>

#include "base/error.h"

namespace evenkeel {
namespace {

std::vector<std::uint32_t> row_counts(const Csr& csr) {
  std::vector<std::uint32_t> counts(csr.rows());
  for (std::size_t r = 0; r < csr.rows(); ++r) {
    counts[r] = static_cast<std::uint32_t>(csr.count(r));
  }
  return counts;
}

}  // namespace

Dataset make_dataset(std::string name, Ids users, Ids items, const std::vector<Pair>& train,
                     const std::vector<Pair>& valid, const std::vector<NamedPairs>& tests) {
  if (train.empty()) {
    fail_data("{}: no training interactions; check the file and the filters", name);
  }
  Dataset data;
  data.name = std::move(name);
  data.users = std::move(users);
  data.items = std::move(items);
  data.items_of = make_csr(train, data.users.size(), Side::kUser);
  data.users_of = make_csr(train, data.items.size(), Side::kItem);
  data.user_popularity = row_counts(data.items_of);
  data.item_popularity = row_counts(data.users_of);
  data.valid = {"valid", make_csr(valid, data.users.size(), Side::kUser)};
  for (const NamedPairs& test : tests) {
    data.tests.push_back({test.name, make_csr(test.pairs, data.users.size(), Side::kUser)});
  }
  return data;
}

}  // namespace evenkeel
