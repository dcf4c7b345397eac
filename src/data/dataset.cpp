// In: ids and pairs of every part. Out: the data set with CSR both ways and popularity.
#include "data/dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "data/hash.h"
#include "data/row_counts.h"

namespace evenkeel::data {

std::vector<Row> items_in(const Part& part) {
  std::vector<Row> items(part.items_of.columns.begin(), part.items_of.columns.end());
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
  return items;
}

Dataset make_dataset(std::string name, Ids users, Ids items, const std::vector<Pair>& train,
                     const std::vector<Pair>& valid, const std::vector<NamedPairs>& tests) {
  return make_dataset(std::move(name), std::move(users), std::move(items), PairList{train},
                      PairList{valid}, tests);
}

Dataset make_dataset(std::string name, Ids users, Ids items, const PairList& train,
                     const PairList& valid, const std::vector<NamedPairs>& tests) {
  std::vector<Part> parts;
  parts.reserve(tests.size());
  for (const NamedPairs& test : tests) {
    parts.push_back({test.name, make_csr({test.pairs, test.weights}, users.size())});
  }
  Csr train_rows = make_csr(train, users.size());
  Csr valid_rows = make_csr(valid, users.size());
  return dataset_of_rows(std::move(name), std::move(users), std::move(items), std::move(train_rows),
                         std::move(valid_rows), std::move(parts));
}

Dataset dataset_of_rows(std::string name, Ids users, Ids items, Csr train, Csr valid,
                        std::vector<Part> tests) {
  if (train.size() == 0) {
    fail_data("{}: no training interactions; check the data and the filters", name);
  }
  Dataset data;
  data.name = std::move(name);
  data.users = std::move(users);
  data.items = std::move(items);
  data.items_of = std::move(train);
  data.users_of = transposed(data.items_of, data.items.size());
  data.user_popularity = row_counts(data.items_of);
  data.item_popularity = row_counts(data.users_of);
  data.valid = {std::string(kValidName), std::move(valid)};
  data.tests = std::move(tests);
  return data;
}

Csr seen_rows(std::span<const Pair> pairs, std::size_t users) {
  return pairs.empty() ? Csr{} : make_csr(pairs, users, Side::kUser);
}

std::string fingerprint(const Dataset& data) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
  const auto mix = [&](std::uint64_t value) { hash = (hash ^ value) * 0x100000001b3ULL; };
  const auto mix_text = [&](std::string_view text) { mix(hash_bytes(text)); };
  const auto mix_rows = [&](const Csr& rows) {
    for (const std::uint64_t offset : rows.offsets) mix(offset);
    for (const Row column : rows.columns) mix(column);
  };
  for (const Ids* ids : {&data.users, &data.items}) {
    mix(ids->size());
    mix_text(ids->bytes());
    for (const std::uint64_t offset : ids->offsets()) mix(offset);
  }
  mix_rows(data.items_of);
  mix_rows(data.valid.items_of);
  for (const Part& test : data.tests) {
    mix_text(test.name);
    mix_rows(test.items_of);
  }
  return fmt::format("{:016x}", hash);
}

std::string training_fingerprint(const Dataset& data) {
  std::uint64_t hash = 0;
  const auto mix = [&](const Csr& rows) {
    if (rows.weights.empty()) return;
    const auto* bytes = reinterpret_cast<const char*>(rows.weights.data());
    hash = hash * 31 + hash_bytes({bytes, rows.weights.size() * sizeof(float)});
  };
  mix(data.items_of);
  mix(data.valid.items_of);
  for (const Part& test : data.tests) mix(test.items_of);
  return hash == 0 ? fingerprint(data) : fmt::format("{} {:016x}", fingerprint(data), hash);
}

}  // namespace evenkeel::data
