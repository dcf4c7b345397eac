// In: Python's pairs, tables and matrices. Out: the classes Log and Dataset of _core.
#include "log.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "arrow.h"
#include "arrow_abi.h"
#include "base/error.h"
#include "convert.h"
#include "data/kcore.h"
#include "data/load.h"
#include "data/options.h"
#include "data/split.h"
#include "data/statistics.h"
#include "data/synthetic.h"
#include "gil.h"

namespace evenkeel::python {
namespace {

PyLog log_of_numbers(Strided1<std::int64_t> users, Strided1<std::int64_t> items) {
  const ReleasedGil free;
  if (users.size() != items.size())
    fail_data("{} users for {} items; give pairs", users.size(), items.size());
  PyLog result{{}, {"int", "int"}};
  const auto user = users.view(), item = items.view();
  result.log.pairs.reserve(users.size());
  for (std::size_t n = 0; n < users.size(); ++n) {
    result.log.pairs.push_back({result.log.users.insert(fmt::format_int(user(n)).str()),
                                result.log.items.insert(fmt::format_int(item(n)).str())});
  }
  if (result.log.pairs.empty()) fail_data("there are no interactions; check the filters");
  merge_duplicates(result.log);
  return result;
}

PyLog log_of_texts(const nb::list& users, const nb::list& items) {
  if (users.size() != items.size())
    fail_data("{} users for {} items; give pairs", users.size(), items.size());
  PyLog result;
  const auto text = [](nb::handle value, std::size_t row) {
    if (!nb::isinstance<nb::str>(value)) {
      fail_data("row {} holds {}; ids must all be text or all whole numbers", row,
                nb::repr(value).c_str());
    }
    std::string id = text_from_python(value);
    if (id.empty()) fail_data("row {} holds an empty id; give it a name", row);
    return id;
  };
  for (std::size_t n = 0; n < users.size(); ++n) {
    const Row user = result.log.users.insert(text(users[n], n));
    result.log.pairs.push_back({user, result.log.items.insert(text(items[n], n))});
  }
  if (result.log.pairs.empty()) fail_data("there are no interactions; check the filters");
  merge_duplicates(result.log);
  return result;
}

PyLog log_of_arrow(const nb::capsule& capsule, const std::string& user, const std::string& item,
                   const std::string& rating, const std::string& time,
                   std::optional<double> min_rating) {
  auto* stream =
      static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (stream == nullptr) throw nb::python_error();
  if (stream->release == nullptr) fail_data("the Arrow stream has been read before; make it again");
  const ReleasedGil free;
  ArrowLog arrow = read_arrow(*stream, {user, item, rating, time, min_rating});
  const auto kind = [](bool numbers) { return std::string(numbers ? "int" : "str"); };
  return {std::move(arrow.log), {kind(arrow.user_numbers), kind(arrow.item_numbers)}};
}

PyLog log_of_file(const std::string& path, const nb::dict& values, bool times, int count) {
  Settings settings(data_fields());
  set_all(settings, values);
  ReadOptions options = read_options(settings);
  options.times = times ? Times::kIfPresent : Times::kIgnore;
  const ReleasedGil free;
  Threads threads(count);
  return {read_interactions(path, options, threads), {}};
}

// Everything is train, numbered as a folder with train.txt alone would be.
PyDataset whole(PyLog& log, const std::string& name, std::int64_t k_core) {
  const ReleasedGil free;
  keep_core(log.log, k_core);
  const SplitPlan plan{{"train", "valid"}, std::vector<std::uint8_t>(log.log.pairs.size())};
  return {make_dataset(cut(name, log.log, plan)), log.kinds};
}

// A test alone, to be looked up in a model's rows.
PyDataset as_test(const PyLog& log) {
  const ReleasedGil free;
  PyDataset result{{}, log.kinds};
  result.data.name = "test";
  result.data.users = log.log.users;
  result.data.items = log.log.items;
  result.data.tests.push_back({"test", make_csr(log.log.pairs, log.log.users.size(), Side::kUser)});
  return result;
}

PyDataset split(PyLog& log, const std::string& name, const std::string& protocol_name,
                std::int64_t k_core, std::uint64_t seed, const std::string& out) {
  const ReleasedGil free;
  const SplitProtocol& protocol = find_protocol(protocol_name);
  if (protocol.times == Times::kRequired && log.log.times.empty()) {
    fail_config("the split '{}' needs times; name their column with time=", protocol_name);
  }
  keep_core(log.log, k_core);
  Parts parts = cut(name, log.log, protocol.split(log.log, seed));
  if (!out.empty()) {
    write_parts(
        out, parts,
        {{"protocol", protocol_name}, {"seed", seed}, {"k_core", k_core}, {"source", "memory"}});
  }
  return {make_dataset(std::move(parts)), log.kinds};
}

template <typename Index>
PyDataset dataset_of_matrix(const std::string& name, std::size_t items, Array1<std::int64_t> indptr,
                            Array1<Index> indices,
                            std::optional<std::tuple<Array1<std::int64_t>, Array1<Index>>> valid) {
  const ReleasedGil free;
  if (indptr.size() == 0) fail_data("the matrix has no indptr; make it again");
  const std::size_t users = indptr.size() - 1;
  Csr train = checked_csr(span_of(indptr), span_of(indices), items);
  Csr held;
  held.offsets.assign(users + 1, 0);
  if (valid) {
    held = checked_csr(span_of(std::get<0>(*valid)), span_of(std::get<1>(*valid)), items);
    if (held.rows() != users) {
      fail_data("the validation matrix has {} rows where there are {} users; give one row a user",
                held.rows(), users);
    }
  }
  return {
      dataset_of_rows(name, row_ids(users), row_ids(items), std::move(train), std::move(held), {}),
      {"rows", "rows"}};
}

PyDataset dataset_of_path(const std::string& path, const nb::dict& values, int count) {
  Settings settings(data_fields());
  set_all(settings, values);
  const ReleasedGil free;
  Threads threads(count);
  return {load_data(path, settings, threads), {}};
}

PyDataset market(const nb::dict& values, const std::string& out, int count) {
  Settings settings(market_fields());
  set_all(settings, values);
  Interrupts interrupts;
  PyDataset result{{}, {}};
  try {
    const ReleasedGil free;
    Market made = interruptible(interrupts, [&](const std::atomic<bool>& stop) {
      Threads threads(count);
      return make_market(market_options(settings), threads, &stop);
    });
    if (!out.empty()) write_market(out, made);
    result.data = make_dataset(std::move(made.parts));
  } catch (const Error&) {
    interrupts.raise();
    throw;
  }
  return result;
}

const Csr& part_of(const PyDataset& set, const std::string& name) {
  std::vector<std::string_view> names{"train"};
  if (name == "train") return set.data.items_of;
  if (name == "valid") return set.data.valid.items_of;
  for (const Part& test : set.data.tests) {
    if (test.name == name) return test.items_of;
    names.push_back(test.name);
  }
  fail_config("{}", unknown_name("part", name, names));
}

// (indptr, indices) as scipy wants them: views of the data set's own memory. Row numbers and
// offsets are below 2^31 and 2^63 in practice, so the sign of the type does not matter.
nb::tuple part_arrays(nb::handle_t<PyDataset> self, const std::string& name) {
  const Csr& csr = part_of(nb::cast<const PyDataset&>(self), name);
  using Offsets = nb::ndarray<nb::numpy, const std::int64_t>;
  using Columns = nb::ndarray<nb::numpy, const std::int32_t>;
  return nb::make_tuple(
      Offsets(reinterpret_cast<const std::int64_t*>(csr.offsets.data()), {csr.offsets.size()},
              self),
      Columns(reinterpret_cast<const std::int32_t*>(csr.columns.data()), {csr.size()}, self));
}

nb::list part_names(const PyDataset& set) {
  nb::list names;
  names.append("train");
  if (set.data.valid.interactions() > 0) names.append("valid");
  for (const Part& test : set.data.tests) names.append(test.name);
  return names;
}

}  // namespace

void bind_data(nb::module_& module) {
  nb::class_<PyLog>(module, "Log")
      .def_static("of_numbers", log_of_numbers, nb::arg("users"), nb::arg("items"))
      .def_static("of_texts", log_of_texts, nb::arg("users"), nb::arg("items"))
      .def_static("of_arrow", log_of_arrow, nb::arg("stream"), nb::arg("user"), nb::arg("item"),
                  nb::arg("rating"), nb::arg("time"), nb::arg("min_rating").none())
      .def_static("of_file", log_of_file, nb::arg("path"), nb::arg("settings"), nb::arg("times"),
                  nb::arg("threads"))
      .def("whole", whole, nb::arg("name"), nb::arg("k_core"))
      .def("as_test", as_test)
      .def("split", split, nb::arg("name"), nb::arg("protocol"), nb::arg("k_core"), nb::arg("seed"),
           nb::arg("out"))
      .def("__len__", [](const PyLog& log) { return log.log.pairs.size(); });
  nb::class_<PyDataset>(module, "Dataset")
      .def_static("of_matrix", dataset_of_matrix<std::int32_t>, nb::arg("name"), nb::arg("items"),
                  nb::arg("indptr"), nb::arg("indices"), nb::arg("valid").none())
      .def_static("of_matrix", dataset_of_matrix<std::int64_t>, nb::arg("name"), nb::arg("items"),
                  nb::arg("indptr"), nb::arg("indices"), nb::arg("valid").none())
      .def_static("of_path", dataset_of_path, nb::arg("path"), nb::arg("settings"),
                  nb::arg("threads"))
      .def_static("synthetic", market, nb::arg("settings"), nb::arg("out"), nb::arg("threads"))
      .def_prop_ro("name", [](const PyDataset& set) { return set.data.name; })
      .def_prop_ro("shape",
                   [](const PyDataset& set) {
                     return nb::make_tuple(set.data.user_count(), set.data.item_count());
                   })
      .def_prop_ro("parts", part_names)
      .def("part", part_arrays, nb::arg("name"))
      .def("user_ids",
           [](const PyDataset& set) { return ids_to_python(set.data.users, set.kinds.users); })
      .def("item_ids",
           [](const PyDataset& set) { return ids_to_python(set.data.items, set.kinds.items); })
      .def("statistics",
           [](const PyDataset& set) { return to_json(make_statistics(set.data)).dump(); });
  module.def("market_fields", [] { return describe(Settings(market_fields())); });
}

}  // namespace evenkeel::python
