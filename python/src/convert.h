// Between Python's values and the engine's. In: dicts, arrays, ids; out: Settings, Csr, Ids and
// back.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "base/settings.h"
#include "data/csr.h"
#include "data/ids.h"
#include "rank/reranking.h"

namespace evenkeel::python {

namespace nb = nanobind;

template <typename T>
using Array1 = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename T>
std::span<const T> span_of(const Array1<T>& array) {
  return {array.data(), array.size()};
}

// An array of numpy that owns `values`.
template <typename T>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<T> values,
                                   std::initializer_list<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(kept->data(), shape, owner);
}

// Each value is checked by the engine's field; errors name the Python parameter. None: not set.
void set_all(Settings& settings, const nb::dict& values);

// {"name", "default", "help", "min", "max", "choices"} of every field.
nb::list describe(const Settings& settings);

// A reranker's name, strength and number of candidates; none where nothing was asked for.
using MaybeRerank =
    std::optional<std::tuple<std::string, std::optional<std::string>, std::optional<std::size_t>>>;
rank::RerankAsk rerank_of(const MaybeRerank& words);

// scipy's layout, checked: row r holds columns indices[offsets[r]:offsets[r + 1]].
template <typename Index>
data::Csr checked_csr(std::span<const std::int64_t> offsets, std::span<const Index> indices,
                      std::size_t columns);

// Row numbers 0 .. count - 1 as ids: those of a matrix.
data::Ids row_ids(std::size_t count);

// How ids come back to Python: as whole numbers (int64, or uint64 where one needs it) or text.
nb::object ids_to_python(const data::Ids& ids, std::string_view kind);

// Text of any bytes: what is not UTF-8 is carried by surrogate escapes.
nb::object text_to_python(std::string_view text);
std::string text_from_python(nb::handle text);

// Rows of ids; -1 for an unknown one and for one of another kind.
std::vector<std::int64_t> find_rows(const data::Ids& ids, std::string_view kind, nb::handle wanted);

// Throws a data error unless 0 <= value < limit.
Row checked_row(std::int64_t value, std::size_t limit, const char* what);

}  // namespace evenkeel::python
