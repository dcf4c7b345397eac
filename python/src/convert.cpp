// In: values of one side. Out: values of the other, or a sentence about the wrong one.
#include "convert.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "base/error.h"

namespace evenkeel::python {
namespace {

Value value_of(const std::string& name, nb::handle value) {
  if (nb::isinstance<nb::bool_>(value)) return nb::cast<bool>(value);
  if (nb::isinstance<nb::str>(value)) return text_from_python(value);
  if (nb::isinstance<nb::int_>(value)) {
    const long long integer = PyLong_AsLongLong(value.ptr());
    if (integer == -1 && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      fail_config("{} is {}; give a number of at most 64 bits", name, nb::str(value).c_str());
    }
    return static_cast<std::int64_t>(integer);
  }
  if (nb::isinstance<nb::float_>(value)) return nb::cast<double>(value);
  fail_config("{} is {}; give a number, a text or True or False", name, nb::repr(value).c_str());
}

nb::object to_python(const Value& value) {
  return std::visit([](const auto& held) { return nb::cast(held); }, value);
}

std::string spelled(std::string name, char from, char to) {
  std::replace(name.begin(), name.end(), from, to);
  return name;
}

template <typename Number>
std::optional<Number> whole_number(std::string_view text) {
  Number number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// All ids as numbers of this type; an invalid object where one does not fit.
template <typename Number>
nb::object numbers_of(const data::Ids& ids) {
  std::vector<Number> numbers(ids.size());
  for (Row row = 0; row < ids.size(); ++row) {
    const auto number = whole_number<Number>(ids.text(row));
    if (!number) return {};
    numbers[row] = *number;
  }
  return nb::cast(to_numpy(std::move(numbers), {ids.size()}));
}

// An id as the model spells it; nothing for one of another kind: 5 is not "5" unless a file, where
// everything is text, said so.
std::optional<std::string> spelling(nb::handle id, std::string_view kind) {
  if (nb::isinstance<nb::str>(id)) {
    if (kind == "int" || kind == "rows") return std::nullopt;
    return text_from_python(id);
  }
  if (nb::isinstance<nb::bool_>(id) || PyIndex_Check(id.ptr()) == 0 || kind == "str") {
    return std::nullopt;
  }
  return text_from_python(nb::str(nb::steal(PyNumber_Index(id.ptr()))));
}

}  // namespace

void set_all(Settings& settings, const nb::dict& values) {
  for (const auto& [key, value] : values) {
    const std::string name = text_from_python(key);
    if (value.is_none()) continue;
    settings.set(spelled(name, '_', '-'), value_of(name, value), name);
  }
}

rank::RerankAsk rerank_of(const MaybeRerank& words) {
  if (!words) return {};
  const auto& [name, strength, candidates] = *words;
  return rank::rerank_ask({name, strength, candidates});
}

nb::list describe(const Settings& settings) {
  nb::list list;
  for (const Field* field : settings.fields()) {
    nb::dict entry;
    entry["name"] = spelled(std::string(field->name), '-', '_');
    entry["default"] = to_python(field->default_value);
    entry["help"] = nb::str(field->help.data(), field->help.size());
    entry["min"] = field->min;
    entry["max"] = field->max;
    nb::list choices;
    for (const std::string_view choice : field->choices) {
      choices.append(nb::str(choice.data(), choice.size()));
    }
    entry["choices"] = choices;
    list.append(entry);
  }
  return list;
}

Row checked_row(std::int64_t value, std::size_t limit, const char* what) {
  if (value < 0 || static_cast<std::uint64_t>(value) >= limit) {
    fail_data("{} {} is outside 0 to {}; check the ids, or the matrix's shape (users x items)",
              what, value, static_cast<std::int64_t>(limit) - 1);
  }
  return static_cast<Row>(value);
}

template <typename Index>
data::Csr checked_csr(std::span<const std::int64_t> offsets, std::span<const Index> indices,
                      std::size_t columns) {
  const auto size = static_cast<std::int64_t>(indices.size());
  if (offsets.empty() || offsets.front() != 0 || offsets.back() > size ||
      !std::is_sorted(offsets.begin(), offsets.end())) {
    fail_data("the matrix is damaged: indptr does not cut indices into rows; make it again");
  }
  data::Csr csr;
  csr.offsets.reserve(offsets.size());
  csr.columns.reserve(static_cast<std::size_t>(offsets.back()));
  for (std::size_t r = 0; r + 1 < offsets.size(); ++r) {
    for (std::int64_t at = offsets[r]; at < offsets[r + 1]; ++at) {
      csr.columns.push_back(checked_row(indices[static_cast<std::size_t>(at)], columns, "item"));
    }
    const auto begin = csr.columns.begin() + static_cast<std::ptrdiff_t>(csr.offsets.back());
    if (!std::is_sorted(begin, csr.columns.end())) std::sort(begin, csr.columns.end());
    csr.columns.erase(std::unique(begin, csr.columns.end()), csr.columns.end());
    csr.offsets.push_back(csr.columns.size());
  }
  return csr;
}

template data::Csr checked_csr(std::span<const std::int64_t>, std::span<const std::int32_t>,
                               std::size_t);
template data::Csr checked_csr(std::span<const std::int64_t>, std::span<const std::int64_t>,
                               std::size_t);

data::Ids row_ids(std::size_t count) {
  if (count >= std::numeric_limits<Row>::max()) {
    fail_data("the matrix has {} rows or columns; at most 4 billion fit", count);
  }
  data::Ids ids;
  ids.reserve(count);
  for (std::size_t row = 0; row < count; ++row) ids.insert(fmt::format_int(row).str());
  return ids;
}

nb::object text_to_python(std::string_view text) {
  return nb::steal(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape"));
}

std::string text_from_python(nb::handle text) {
  const nb::object bytes =
      nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogateescape"));
  if (!bytes.is_valid()) throw nb::python_error();
  return {PyBytes_AsString(bytes.ptr()), static_cast<std::size_t>(PyBytes_Size(bytes.ptr()))};
}

nb::object ids_to_python(const data::Ids& ids, std::string_view kind) {
  if (kind == "rows" || kind == "int") {
    for (const auto attempt : {numbers_of<std::int64_t>, numbers_of<std::uint64_t>}) {
      nb::object numbers = attempt(ids);
      if (numbers.is_valid()) return numbers;
    }
  }
  nb::list texts;
  for (Row row = 0; row < ids.size(); ++row) texts.append(text_to_python(ids.text(row)));
  return texts;
}

std::vector<std::int64_t> find_rows(const data::Ids& ids, std::string_view kind,
                                    nb::handle wanted) {
  std::vector<std::int64_t> rows;
  for (const nb::handle id : wanted) {
    const auto text = spelling(id, kind);
    const auto row = text ? ids.find(*text) : std::nullopt;
    rows.push_back(row ? std::int64_t{*row} : -1);
  }
  return rows;
}

}  // namespace evenkeel::python
