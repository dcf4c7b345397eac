// In: matrices, paths, settings, pickles. Out: the class Dataset of _core.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "base/error.h"
#include "convert.h"
#include "data/load.h"
#include "data/options.h"
#include "data/parts.h"
#include "data/statistics.h"
#include "data/synthetic.h"
#include "gil.h"
#include "log.h"

namespace evenkeel::python {
namespace {

template <typename Index>
PyDataset dataset_of_matrix(const std::string& name, std::size_t items, Array1<std::int64_t> indptr,
                            Array1<Index> indices,
                            std::optional<std::tuple<Array1<std::int64_t>, Array1<Index>>> valid) {
  const ReleasedGil free;
  if (indptr.size() == 0) fail_data("the matrix has no indptr; make it again");
  const std::size_t users = indptr.size() - 1;
  data::Csr train = checked_csr(span_of(indptr), span_of(indices), items);
  data::Csr held;
  held.offsets.assign(users + 1, 0);
  if (valid) {
    held = checked_csr(span_of(std::get<0>(*valid)), span_of(std::get<1>(*valid)), items);
    if (held.rows() != users) {
      fail_data("the validation matrix has {} rows where there are {} users; give one row per user",
                held.rows(), users);
    }
  }
  return {data::dataset_of_rows(name, row_ids(users), row_ids(items), std::move(train),
                                std::move(held), {}),
          {"rows", "rows"}};
}

// Pairs of the matrix below min_rating (Dataset::seen).
void see(PyDataset& set, Array1<std::int64_t> users, Array1<std::int64_t> items) {
  const ReleasedGil free;
  if (users.size() != items.size()) fail_data("the seen pairs are damaged; make the matrix again");
  std::vector<Pair> pairs;
  for (std::size_t n = 0; n < users.size(); ++n) {
    pairs.push_back({checked_row(span_of(users)[n], set.data.user_count(), "user"),
                     checked_row(span_of(items)[n], set.data.item_count(), "item")});
  }
  set.data.seen = data::seen_rows(pairs, set.data.user_count());
}

// How much each training pair counts: the sum of its weights, and 0 where there is none.
void weigh(PyDataset& set, Array1<std::int64_t> users, Array1<std::int64_t> items,
           Array1<double> weights) {
  const ReleasedGil free;
  data::Csr& train = set.data.items_of;
  data::PairList list;
  for (std::size_t n = 0; n < weights.size(); ++n) {
    const double weight = span_of(weights)[n];
    const Row user = checked_row(span_of(users)[n], train.rows(), "user");
    const Row item = checked_row(span_of(items)[n], set.data.item_count(), "item");
    if (!(weight >= 0 && weight <= 1e12)) {
      fail_data("weights: the weight of row {}, column {} is {}; give numbers from 0 to 1e12", user,
                item, weight);
    }
    list.pairs.push_back({user, item});
    list.weights.push_back(static_cast<float>(weight));
  }
  const data::Csr given = data::make_csr(list, train.rows());
  train.weights.assign(train.size(), 0.0F);
  bool any = false;
  for (std::size_t u = 0; u < train.rows(); ++u) {
    const auto row = given.row(u);
    for (std::uint64_t at = train.offsets[u]; at < train.offsets[u + 1]; ++at) {
      const auto found = std::lower_bound(row.begin(), row.end(), train.columns[at]);
      if (found == row.end() || *found != train.columns[at]) continue;
      const auto place = given.offsets[u] + static_cast<std::uint64_t>(found - row.begin());
      train.weights[at] = given.weights[place];
      any = any || train.weights[at] > 0;
    }
  }
  if (!any) fail_data("weights: every interaction weighs 0; give some of them a larger weight");
}

PyDataset dataset_of_path(const std::string& path, const nb::dict& values, int count) {
  Settings settings(data::data_fields());
  set_all(settings, values);
  const ReleasedGil free;
  Threads threads(count);
  return {data::load_data(path, settings, threads), {}};
}

PyDataset market(const nb::dict& values, const std::string& out, int count) {
  Settings settings(data::market_fields());
  set_all(settings, values);
  Interrupts interrupts;
  PyDataset result{{}, {"str", "str"}};
  try {
    const ReleasedGil free;
    data::Market made = interruptible(interrupts, [&](const std::atomic<bool>& stop) {
      Threads threads(count);
      return data::make_market(data::market_options(settings), threads, &stop);
    });
    if (!out.empty()) data::write_market(out, made);
    result.data = data::make_dataset(std::move(made.parts));
  } catch (const Error&) {
    interrupts.raise();
    throw;
  }
  return result;
}

const data::Csr& part_of(const PyDataset& set, const std::string& name) {
  std::vector<std::string_view> names{"train"};
  if (name == "train") return set.data.items_of;
  if (name == "valid") return set.data.valid.items_of;
  if (name == data::kSeenName && set.data.seen.size() > 0) return set.data.seen;
  for (const data::Part& test : set.data.tests) {
    if (test.name == name) return test.items_of;
    names.push_back(test.name);
  }
  fail_config("{}", unknown_name("part", name, names));
}

// (indptr, indices) as scipy wants them, in memory of their own: scipy sorts, sums and drops in
// place. Rows and columns are below 2^31 in practice, so the sign of the type does not matter.
nb::tuple part_arrays(const PyDataset& set, const std::string& name) {
  const data::Csr& csr = part_of(set, name);
  std::vector<std::int64_t> offsets(csr.offsets.begin(), csr.offsets.end());
  std::vector<std::int32_t> columns(csr.columns.begin(), csr.columns.end());
  const std::size_t rows = offsets.size(), size = columns.size();
  return nb::make_tuple(to_numpy(std::move(offsets), {rows}), to_numpy(std::move(columns), {size}));
}

// What a pickle holds: name, kinds and ids, then name, indptr and indices of every part.
nb::tuple stored_ids(const data::Ids& ids, const std::string& kind) {
  std::vector<std::int64_t> offsets(ids.offsets().begin(), ids.offsets().end());
  const std::size_t size = offsets.size();
  return nb::make_tuple(kind, nb::bytes(ids.bytes().data(), ids.bytes().size()),
                        to_numpy(std::move(offsets), {size}));
}

data::Ids restored_ids(const nb::bytes& bytes, const Array1<std::int64_t>& offsets) {
  const auto stored = span_of(offsets);
  return data::Ids::from_stored({bytes.c_str(), bytes.size()}, {stored.begin(), stored.end()});
}

nb::tuple state_of(const PyDataset& set) {
  nb::list parts;
  const auto add = [&](const std::string& name) {
    const nb::tuple arrays = part_arrays(set, name);
    parts.append(nb::make_tuple(name, arrays[0], arrays[1]));
  };
  add("train");
  add("valid");
  for (const data::Part& test : set.data.tests) add(test.name);
  if (set.data.seen.size() > 0) add(std::string(data::kSeenName));
  return nb::make_tuple(set.data.name, stored_ids(set.data.users, set.kinds.users),
                        stored_ids(set.data.items, set.kinds.items), parts);
}

using StoredIds = std::tuple<std::string, nb::bytes, Array1<std::int64_t>>;
using StoredPart = std::tuple<std::string, Array1<std::int64_t>, Array1<std::int32_t>>;

PyDataset dataset_of_parts(const std::string& name, data::Ids users, data::Ids items,
                           const std::vector<StoredPart>& stored, IdKinds kinds) {
  std::vector<data::Part> parts;
  for (const auto& [part, indptr, indices] : stored) {
    parts.push_back({part, checked_csr(span_of(indptr), span_of(indices), items.size())});
    if (parts.back().items_of.rows() != users.size()) {
      fail_data("part '{}' has {} rows for {} users; the data set is damaged", part,
                parts.back().items_of.rows(), users.size());
    }
  }
  if (parts.size() < 2) fail_data("the data set is damaged: it has {} parts", parts.size());
  data::Csr seen;
  if (parts.back().name == data::kSeenName) {
    seen = std::move(parts.back().items_of);
    parts.pop_back();
  }
  if (parts.size() < 2) fail_data("the data set is damaged: it has {} parts", parts.size());
  std::vector<data::Part> tests(std::make_move_iterator(parts.begin() + 2),
                                std::make_move_iterator(parts.end()));
  PyDataset set{
      data::dataset_of_rows(name, std::move(users), std::move(items), std::move(parts[0].items_of),
                            std::move(parts[1].items_of), std::move(tests)),
      std::move(kinds)};
  set.data.seen = std::move(seen);
  return set;
}

PyDataset dataset_of_state(const std::string& name, const StoredIds& users, const StoredIds& items,
                           const std::vector<StoredPart>& stored) {
  return dataset_of_parts(name, restored_ids(std::get<1>(users), std::get<2>(users)),
                          restored_ids(std::get<1>(items), std::get<2>(items)), stored,
                          {std::get<0>(users), std::get<0>(items)});
}

// Train, validation and tests in the rows and columns of one matrix.
PyDataset dataset_of_matrices(const std::string& name, std::size_t users, std::size_t items,
                              const std::vector<StoredPart>& parts) {
  return dataset_of_parts(name, row_ids(users), row_ids(items), parts, {"rows", "rows"});
}

// The folder that `split` would have written; parts are numbered anew, ids stay.
void save(const PyDataset& set, const std::string& folder) {
  const ReleasedGil free;
  if (!set.data.items_of.weights.empty()) {
    fail_data("the data set has weights, which a folder of parts does not hold; leave them out");
  }
  std::vector<data::NamedPairs> lists;
  const auto add = [&](const std::string& name, const data::Csr& items_of) {
    data::NamedPairs list{name, {}};
    for (std::size_t u = 0; u < items_of.rows(); ++u) {
      for (const Row item : items_of.row(u)) list.pairs.push_back({static_cast<Row>(u), item});
    }
    lists.push_back(std::move(list));
  };
  add("train", set.data.items_of);
  add(std::string(data::kValidName), set.data.valid.items_of);
  for (const data::Part& test : set.data.tests) add(test.name, test.items_of);
  std::vector<Pair> seen;
  for (std::size_t u = 0; u < set.data.seen.rows(); ++u) {
    for (const Row item : set.data.seen.row(u)) seen.push_back({static_cast<Row>(u), item});
  }
  data::write_parts(
      folder, data::numbered(set.data.name, set.data.users, set.data.items, std::move(lists), seen),
      {{"protocol", "given"}, {"source", "memory"}});
}

nb::list part_names(const PyDataset& set) {
  nb::list names;
  names.append("train");
  if (set.data.valid.interactions() > 0) names.append("valid");
  for (const data::Part& test : set.data.tests) names.append(test.name);
  return names;
}

}  // namespace

void bind_datasets(nb::module_& module) {
  nb::class_<PyDataset>(module, "Dataset")
      .def_static("of_matrix", dataset_of_matrix<std::int32_t>, nb::arg("name"), nb::arg("items"),
                  nb::arg("indptr"), nb::arg("indices"), nb::arg("valid").none())
      .def_static("of_matrix", dataset_of_matrix<std::int64_t>, nb::arg("name"), nb::arg("items"),
                  nb::arg("indptr"), nb::arg("indices"), nb::arg("valid").none())
      .def_static("of_matrices", dataset_of_matrices, nb::arg("name"), nb::arg("users"),
                  nb::arg("items"), nb::arg("parts"))
      .def_static("of_path", dataset_of_path, nb::arg("path"), nb::arg("settings"),
                  nb::arg("threads"))
      .def_static("of_state", dataset_of_state, nb::arg("name"), nb::arg("users"), nb::arg("items"),
                  nb::arg("parts"))
      .def_static("synthetic", market, nb::arg("settings"), nb::arg("out"), nb::arg("threads"))
      .def_prop_ro("name", [](const PyDataset& set) { return set.data.name; })
      .def_prop_ro("shape",
                   [](const PyDataset& set) {
                     return nb::make_tuple(set.data.user_count(), set.data.item_count());
                   })
      .def_prop_ro("parts", part_names)
      .def("see", see, nb::arg("users"), nb::arg("items"))
      .def("weigh", weigh, nb::arg("users"), nb::arg("items"), nb::arg("weights"))
      .def("part", part_arrays, nb::arg("name"))
      .def("state", state_of)
      .def("save", save, nb::arg("folder"))
      .def_prop_ro("user_kind", [](const PyDataset& set) { return set.kinds.users; })
      .def_prop_ro("item_kind", [](const PyDataset& set) { return set.kinds.items; })
      .def("user_ids",
           [](const PyDataset& set) { return ids_to_python(set.data.users, set.kinds.users); })
      .def("item_ids",
           [](const PyDataset& set) { return ids_to_python(set.data.items, set.kinds.items); })
      .def("statistics", [](const PyDataset& set) {
        return data::to_json(data::make_statistics(set.data)).dump();
      });
  module.def("market_fields", [] { return describe(Settings(data::market_fields())); });
}

}  // namespace evenkeel::python
