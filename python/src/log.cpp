// In: Python's pairs, tables and matrices. Out: the class Log of _core.
#include "log.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <vector>

#include "arrow.h"
#include "arrow_abi.h"
#include "base/error.h"
#include "convert.h"
#include "data/column_names.h"
#include "data/kcore.h"
#include "data/numbers.h"
#include "data/options.h"
#include "data/split.h"
#include "gil.h"

namespace evenkeel::python {
namespace {

// One column of ids, whole numbers or text, taken from Python while the GIL is held.
class IdColumn {
 public:
  explicit IdColumn(nb::handle values) {
    if (nb::isinstance<nb::list>(values)) {
      texts_.emplace();
      for (const nb::handle value : values) texts_->push_back(text(value, texts_->size()));
      return;
    }
    numbers_ = nb::cast<Numbers>(values);
    unsigned_ = numbers_.dtype() == nb::dtype<std::uint64_t>();
    EVENKEEL_CHECK(unsigned_ || numbers_.dtype() == nb::dtype<std::int64_t>());
  }
  std::size_t size() const { return texts_ ? texts_->size() : numbers_.size(); }
  std::string kind() const { return texts_ ? "str" : "int"; }
  Row insert(std::size_t row, data::Ids& ids) const {
    if (texts_) return ids.insert((*texts_)[row]);
    const fmt::format_int digits = unsigned_ ? fmt::format_int(number<std::uint64_t>(row))
                                             : fmt::format_int(number<std::int64_t>(row));
    return ids.insert({digits.data(), digits.size()});
  }

 private:
  static std::string text(nb::handle value, std::size_t row) {
    std::string id;
    if (nb::isinstance<nb::bytes>(value)) {
      const auto bytes = nb::borrow<nb::bytes>(value);
      id.assign(bytes.c_str(), bytes.size());
    } else if (nb::isinstance<nb::str>(value)) {
      id = text_from_python(value);
    } else {
      fail_data("row {} holds {}; ids must all be text or all whole numbers", row,
                nb::repr(value).c_str());
    }
    if (id.empty()) fail_data("row {} holds an empty id; give it a name", row);
    return id;
  }

  template <typename Number>
  Number number(std::size_t row) const {
    return static_cast<const Number*>(
        numbers_.data())[static_cast<std::ptrdiff_t>(row) * numbers_.stride(0)];
  }

  using Numbers = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;
  Numbers numbers_;
  bool unsigned_ = false;
  std::optional<std::vector<std::string>> texts_;
};

PyLog log_of_columns(nb::handle user_values, nb::handle item_values,
                     std::optional<Array1<double>> times) {
  const IdColumn users(user_values), items(item_values);
  const ReleasedGil free;
  if (users.size() != items.size())
    fail_data("{} users for {} items; give pairs", users.size(), items.size());
  PyLog result{{}, {users.kind(), items.kind()}};
  result.log.pairs.reserve(users.size());
  for (std::size_t n = 0; n < users.size(); ++n) {
    const Row user = users.insert(n, result.log.users);
    result.log.pairs.push_back({user, items.insert(n, result.log.items)});
  }
  if (times) {
    if (times->size() != users.size())
      fail_data("{} times for {} interactions; give one each", times->size(), users.size());
    result.log.times.assign(times->data(), times->data() + times->size());
  }
  if (result.log.pairs.empty()) fail_data("there are no interactions; check the filters");
  data::merge_duplicates(result.log);
  return result;
}

// The stored entries of a matrix. Its parts will have the matrix's rows and columns.
PyLog log_of_matrix(std::size_t rows, std::size_t columns, Array1<std::int64_t> users,
                    Array1<std::int64_t> items, Array1<std::int64_t> seen_users,
                    Array1<std::int64_t> seen_items) {
  PyLog result = log_of_columns(nb::cast(users), nb::cast(items), std::nullopt);
  for (const std::int64_t user : span_of(users)) checked_row(user, rows, "user");
  for (const std::int64_t item : span_of(items)) checked_row(item, columns, "item");
  result.kinds = {"rows", "rows"};
  result.rows = rows;
  result.columns = columns;
  if (seen_users.size() != seen_items.size()) fail_data("the seen pairs are damaged");
  for (std::size_t n = 0; n < seen_users.size(); ++n) {
    const Row user = checked_row(span_of(seen_users)[n], rows, "user");
    const Row item = checked_row(span_of(seen_items)[n], columns, "item");
    result.seen.push_back({user, item});
    const auto user_row = result.log.users.find(fmt::format_int(user).str());
    const auto item_row = result.log.items.find(fmt::format_int(item).str());
    if (user_row && item_row) result.log.seen.push_back({*user_row, *item_row});
  }
  return result;
}

// Seconds since 1970, or the number itself; NaN where a text is no time.
nb::ndarray<nb::numpy, double> times_of_texts(const nb::list& texts) {
  std::vector<double> times;
  for (const nb::handle text : texts) {
    const bool is_text = nb::isinstance<nb::str>(text);
    const auto time = is_text ? data::parse_time(text_from_python(text)) : std::nullopt;
    times.push_back(time.value_or(std::nan("")));
  }
  const std::size_t size = times.size();
  return to_numpy(std::move(times), {size});
}

PyLog log_of_arrow(const nb::capsule& capsule, const std::string& user, const std::string& item,
                   const std::string& rating, const std::string& time, bool time_found,
                   std::optional<double> min_rating) {
  auto* stream =
      static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (stream == nullptr) throw nb::python_error();
  if (stream->release == nullptr) fail_data("the Arrow stream has been read before; make it again");
  const ReleasedGil free;
  ArrowLog arrow = read_arrow(*stream, {user, item, rating, time, time_found, min_rating});
  const auto kind = [](bool numbers) { return std::string(numbers ? "int" : "str"); };
  return {std::move(arrow.log), {kind(arrow.user_numbers), kind(arrow.item_numbers)}};
}

// With the times that the protocol wants.
PyLog log_of_file(const std::string& path, const nb::dict& values, const std::string& protocol,
                  int count) {
  Settings settings(data::data_fields());
  set_all(settings, values);
  data::ReadOptions options = data::read_options(settings);
  options.times = data::find_protocol(protocol).times;
  const ReleasedGil free;
  Threads threads(count);
  return {data::read_interactions(path, options, threads), {}};
}

// Everything is train, numbered as a folder with train.txt alone would be.
PyDataset whole(PyLog& log, const std::string& name, std::int64_t k_core) {
  const ReleasedGil free;
  data::filter_k_core(log.log, k_core);
  const data::SplitPlan plan{{"train", "valid"}, std::vector<std::uint8_t>(log.log.pairs.size())};
  return {data::make_dataset(data::cut(name, log.log, plan)), log.kinds};
}

// A test alone, to be looked up in a model's rows.
PyDataset as_test(const PyLog& log) {
  const ReleasedGil free;
  PyDataset result{{}, log.kinds};
  result.data.name = "test";
  result.data.users = log.log.users;
  result.data.items = log.log.items;
  result.data.tests.push_back(
      {"test", data::make_csr(log.log.pairs, log.log.users.size(), Side::kUser)});
  return result;
}

// The parts of a matrix in the matrix's own rows, also where a row holds nothing.
data::Dataset in_matrix_rows(const PyLog& log, const std::string& name,
                             const data::SplitPlan& plan) {
  const auto number = [](const data::Ids& ids, Row row) {
    return static_cast<Row>(std::stoul(std::string(ids.text(row))));
  };
  std::vector<std::vector<Pair>> lists(plan.names.size());
  for (std::size_t n = 0; n < log.log.pairs.size(); ++n) {
    const Pair pair = log.log.pairs[n];
    lists[plan.part_of[n]].push_back(
        {number(log.log.users, pair.user), number(log.log.items, pair.item)});
  }
  std::vector<data::Part> tests;
  for (std::size_t part = 2; part < lists.size(); ++part) {
    tests.push_back({plan.names[part], data::make_csr(lists[part], log.rows, Side::kUser)});
  }
  data::Dataset data =
      data::dataset_of_rows(name, row_ids(log.rows), row_ids(log.columns),
                            data::make_csr(lists[0], log.rows, Side::kUser),
                            data::make_csr(lists[1], log.rows, Side::kUser), std::move(tests));
  data.seen = data::seen_rows(log.seen, log.rows);
  return data;
}

PyDataset split(PyLog& log, const std::string& name, const std::string& protocol_name,
                std::int64_t k_core, std::uint64_t seed, const std::string& out) {
  const ReleasedGil free;
  const data::SplitProtocol& protocol = data::find_protocol(protocol_name);
  if (protocol.times == data::Times::kRequired && log.log.times.empty()) {
    fail_config("the split '{}' needs times; name their column with time_column=", protocol_name);
  }
  data::filter_k_core(log.log, k_core);
  const data::SplitPlan plan = protocol.split(log.log, seed);
  data::Parts parts = data::cut(name, log.log, plan);
  if (!out.empty()) {
    data::write_parts(
        out, parts,
        {{"protocol", protocol_name}, {"seed", seed}, {"k_core", k_core}, {"source", "memory"}});
  }
  data::Dataset data =
      log.rows > 0 ? in_matrix_rows(log, name, plan) : data::make_dataset(std::move(parts));
  return {std::move(data), log.kinds};
}

// The column of these names that is known as a user's, an item's, a rating's or a time's.
std::optional<std::size_t> known_column(const std::vector<std::string>& names,
                                        const std::string& kind) {
  const data::ColumnKind known = kind == "user"     ? data::ColumnKind::kUser
                                 : kind == "item"   ? data::ColumnKind::kItem
                                 : kind == "rating" ? data::ColumnKind::kRating
                                                    : data::ColumnKind::kTime;
  return data::known_column(names, known);
}

// Whether a protocol wants times: "no", "if present" or "yes".
std::string wants_times(const std::string& protocol) {
  const data::Times times = data::find_protocol(protocol).times;
  return times == data::Times::kIgnore     ? "no"
         : times == data::Times::kRequired ? "yes"
                                           : "if present";
}

}  // namespace

void bind_logs(nb::module_& module) {
  nb::class_<PyLog>(module, "Log")
      .def_static("of_columns", log_of_columns, nb::arg("users"), nb::arg("items"),
                  nb::arg("times").none())
      .def_static("of_matrix", log_of_matrix, nb::arg("rows"), nb::arg("columns"), nb::arg("users"),
                  nb::arg("items"), nb::arg("seen_users"), nb::arg("seen_items"))
      .def_static("of_arrow", log_of_arrow, nb::arg("stream"), nb::arg("user"), nb::arg("item"),
                  nb::arg("rating"), nb::arg("time"), nb::arg("time_found"),
                  nb::arg("min_rating").none())
      .def_static("of_file", log_of_file, nb::arg("path"), nb::arg("settings"), nb::arg("protocol"),
                  nb::arg("threads"))
      .def("whole", whole, nb::arg("name"), nb::arg("k_core"))
      .def("as_test", as_test)
      .def("split", split, nb::arg("name"), nb::arg("protocol"), nb::arg("k_core"), nb::arg("seed"),
           nb::arg("out"))
      .def("__len__", [](const PyLog& log) { return log.log.pairs.size(); });
  module.def("times_of_texts", times_of_texts, nb::arg("texts"));
  module.def("known_column", known_column, nb::arg("names"), nb::arg("kind"));
  module.def("wants_times", wants_times, nb::arg("protocol"));
  module.def("data_fields", [] { return describe(Settings(data::data_fields())); });
}

}  // namespace evenkeel::python
