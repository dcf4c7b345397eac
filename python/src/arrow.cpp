// In: record batches. Out: interactions; a missing or unusable value is an error with its row.
#include "arrow.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstring>
#include <string_view>
#include <vector>

#include "arrow_abi.h"
#include "base/error.h"
#include "data/numbers.h"

namespace evenkeel::python {
namespace {

// Owns a struct of the interface: release() exactly once.
template <typename Struct>
struct Owned : Struct {
  Owned() { std::memset(static_cast<Struct*>(this), 0, sizeof(Struct)); }
  ~Owned() {
    if (this->release != nullptr) this->release(this);
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
};

void check(ArrowArrayStream& stream, int code) {
  if (code == 0) return;
  const char* reason = stream.get_last_error != nullptr ? stream.get_last_error(&stream) : nullptr;
  fail_data("the table cannot be read: {}", reason != nullptr ? reason : std::strerror(code));
}

enum class Kind { kSigned, kUnsigned, kReal, kText, kTime, kOther };

struct Type {
  Kind kind = Kind::kOther;
  int width = 0;  // bytes of a number; of an offset (0: string view)
};

// https://arrow.apache.org/docs/format/CDataInterface.html#data-type-description-format-strings
Type type_of(std::string_view format) {
  if (format == "c") return {Kind::kSigned, 1};
  if (format == "s") return {Kind::kSigned, 2};
  if (format == "i") return {Kind::kSigned, 4};
  if (format == "l") return {Kind::kSigned, 8};
  if (format == "tdD") return {Kind::kTime, 4};
  if (format == "tdm" || format.starts_with("ts")) return {Kind::kTime, 8};
  if (format == "C") return {Kind::kUnsigned, 1};
  if (format == "S") return {Kind::kUnsigned, 2};
  if (format == "I") return {Kind::kUnsigned, 4};
  if (format == "L") return {Kind::kUnsigned, 8};
  if (format == "f") return {Kind::kReal, 4};
  if (format == "g") return {Kind::kReal, 8};
  if (format == "u" || format == "z") return {Kind::kText, 4};
  if (format == "U" || format == "Z") return {Kind::kText, 8};
  if (format == "vu" || format == "vz") return {Kind::kText, 0};
  return {};
}

template <typename T>
T load(const void* buffer, std::int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char*>(buffer) + index * std::int64_t{sizeof(T)},
              sizeof(T));
  return value;
}

// One column of one batch. A dictionary (pandas categories) is looked through.
class Column {
 public:
  Column(const ArrowSchema& schema, const ArrowArray& array, std::int64_t shift)
      : array_(array), type_(type_of(schema.format)), shift_(shift + array.offset) {
    if (schema.dictionary != nullptr) {
      dictionary_.emplace_back(*schema.dictionary, *array.dictionary, 0);
    }
  }

  bool missing(std::int64_t row) const {
    const std::int64_t at = row + shift_;
    if (array_.null_count != 0 && array_.n_buffers > 0 && array_.buffers[0] != nullptr) {
      const auto byte = load<std::uint8_t>(array_.buffers[0], at / 8);
      if ((byte >> (at % 8) & 1) == 0) return true;
    }
    return !dictionary_.empty() && dictionary_[0].missing(integer(row));
  }
  std::string_view text(std::int64_t row, fmt::memory_buffer& scratch) const {
    if (!dictionary_.empty()) return dictionary_[0].text(integer(row), scratch);
    if (type_.kind == Kind::kText) return stored_text(row + shift_);
    scratch.clear();
    if (type_.kind == Kind::kUnsigned) {
      fmt::format_to(std::back_inserter(scratch), "{}", static_cast<std::uint64_t>(integer(row)));
    } else {
      fmt::format_to(std::back_inserter(scratch), "{}", integer(row));
    }
    return {scratch.data(), scratch.size()};
  }
  double number(std::int64_t row) const {
    if (!dictionary_.empty()) return dictionary_[0].number(integer(row));
    const std::int64_t at = row + shift_;
    if (type_.kind == Kind::kReal) {
      return type_.width == 4 ? load<float>(array_.buffers[1], at)
                              : load<double>(array_.buffers[1], at);
    }
    return type_.kind == Kind::kUnsigned
               ? static_cast<double>(static_cast<std::uint64_t>(integer(row)))
               : static_cast<double>(integer(row));
  }

 private:
  std::int64_t integer(std::int64_t row) const {
    const std::int64_t at = row + shift_;
    const void* data = array_.buffers[1];
    const bool plain = type_.kind != Kind::kUnsigned;
    switch (type_.width) {
      case 1:
        return plain ? load<std::int8_t>(data, at) : load<std::uint8_t>(data, at);
      case 2:
        return plain ? load<std::int16_t>(data, at) : load<std::uint16_t>(data, at);
      case 4:
        return plain ? load<std::int32_t>(data, at) : load<std::uint32_t>(data, at);
      default:
        return load<std::int64_t>(data, at);
    }
  }
  std::string_view stored_text(std::int64_t at) const {
    if (type_.width == 0) return viewed_text(at);
    const void* offsets = array_.buffers[1];
    const std::int64_t begin =
        type_.width == 4 ? load<std::int32_t>(offsets, at) : load<std::int64_t>(offsets, at);
    const std::int64_t end = type_.width == 4 ? load<std::int32_t>(offsets, at + 1)
                                              : load<std::int64_t>(offsets, at + 1);
    return {static_cast<const char*>(array_.buffers[2]) + begin,
            static_cast<std::size_t>(end - begin)};
  }
  // A string view: 16 bytes that hold the text, or its length, head, buffer and offset.
  std::string_view viewed_text(std::int64_t at) const {
    const char* view = static_cast<const char*>(array_.buffers[1]) + at * 16;
    const auto size = static_cast<std::size_t>(load<std::int32_t>(view, 0));
    if (size <= 12) return {view + 4, size};
    const auto buffer = load<std::int32_t>(view, 2), offset = load<std::int32_t>(view, 3);
    return {static_cast<const char*>(array_.buffers[2 + buffer]) + offset, size};
  }

  const ArrowArray& array_;
  Type type_;
  std::int64_t shift_;
  std::vector<Column> dictionary_;  // one, or none
};

Type value_type(const ArrowSchema& schema) {
  return type_of(schema.dictionary != nullptr ? schema.dictionary->format : schema.format);
}

std::int64_t find_column(const ArrowSchema& table, const std::string& name) {
  std::vector<std::string_view> names;
  for (std::int64_t c = 0; c < table.n_children; ++c) {
    if (name == table.children[c]->name) return c;
    names.emplace_back(table.children[c]->name);
  }
  fail_data("the table has no column '{}'; name one of: {}", name, fmt::join(names, ", "));
}

std::int64_t id_column(const ArrowSchema& table, const std::string& name) {
  const std::int64_t column = find_column(table, name);
  const Kind kind = value_type(*table.children[column]).kind;
  if (kind != Kind::kSigned && kind != Kind::kUnsigned && kind != Kind::kText) {
    fail_data("column '{}' has the Arrow type '{}'; ids must be text or whole numbers (astype)",
              name, table.children[column]->format);
  }
  return column;
}

std::int64_t number_column(const ArrowSchema& table, const std::string& name, bool times) {
  const std::int64_t column = find_column(table, name);
  const Kind kind = value_type(*table.children[column]).kind;
  if (kind == Kind::kOther || (!times && (kind == Kind::kText || kind == Kind::kTime))) {
    fail_data("column '{}' has the Arrow type '{}'; it must hold numbers{}", name,
              table.children[column]->format, times ? " or times" : "");
  }
  return column;
}

// Which columns of the table are read.
struct Chosen {
  std::int64_t user = -1, item = -1, rating = -1, time = -1;
};

class Reader {
 public:
  Reader(const ArrowSchema& table, const ArrowColumns& names, data::Interactions& log)
      : table_(table), names_(names), log_(log) {
    chosen_.user = id_column(table, names.user);
    chosen_.item = id_column(table, names.item);
    if (names.min_rating) chosen_.rating = number_column(table, names.rating, false);
    if (!names.time.empty()) chosen_.time = number_column(table, names.time, true);
  }
  bool numbers(std::int64_t Chosen::*which) const {
    return value_type(*table_.children[chosen_.*which]).kind != Kind::kText;
  }
  const Chosen& chosen() const { return chosen_; }

  // Rows below min_rating whose user and item have other rows, once all batches are read.
  void finish() {
    for (const Pair& pair : seen_.pairs) {
      const auto user = log_.users.find(seen_.users.text(pair.user));
      const auto item = log_.items.find(seen_.items.text(pair.item));
      if (user && item) log_.seen.push_back({*user, *item});
    }
  }

  void read(const ArrowArray& batch) {
    const Column users = column(batch, chosen_.user), items = column(batch, chosen_.item);
    std::vector<Column> rating, time;
    if (rows_ == 0 && names_.time_found && !holds_times(batch)) chosen_.time = -1;
    if (chosen_.rating >= 0) rating.push_back(column(batch, chosen_.rating));
    if (chosen_.time >= 0) time.push_back(column(batch, chosen_.time));
    fmt::memory_buffer scratch;
    for (std::int64_t row = 0; row < batch.length; ++row, ++rows_) {
      if (!rating.empty() && number(rating[0], row, names_.rating) < *names_.min_rating) {
        ++log_.report.below_threshold;
        const Row user = seen_.users.insert(id(users, row, names_.user, scratch));
        seen_.pairs.push_back({user, seen_.items.insert(id(items, row, names_.item, scratch))});
        continue;
      }
      const Row user = log_.users.insert(id(users, row, names_.user, scratch));
      const Row item = log_.items.insert(id(items, row, names_.item, scratch));
      log_.pairs.push_back({user, item});
      if (!time.empty()) log_.times.push_back(moment(time[0], row, scratch));
    }
  }

 private:
  Column column(const ArrowArray& batch, std::int64_t which) const {
    return {*table_.children[which], *batch.children[which], batch.offset};
  }
  std::string_view id(const Column& column, std::int64_t row, const std::string& name,
                      fmt::memory_buffer& scratch) const {
    if (column.missing(row)) {
      fail_data("column '{}' is missing a value in row {}; drop or fill such rows", name, rows_);
    }
    const std::string_view text = column.text(row, scratch);
    if (text.empty()) fail_data("column '{}' is empty in row {}; give it an id", name, rows_);
    return text;
  }
  bool holds_times(const ArrowArray& batch) const {
    if (chosen_.time < 0 || batch.length == 0) return true;
    const Column times = column(batch, chosen_.time);
    fmt::memory_buffer scratch;
    return numbers(&Chosen::time) ||
           (!times.missing(0) && data::parse_time(times.text(0, scratch)));
  }
  double moment(const Column& column, std::int64_t row, fmt::memory_buffer& scratch) const {
    if (numbers(&Chosen::time)) return number(column, row, names_.time);
    const auto time =
        column.missing(row) ? std::nullopt : data::parse_time(column.text(row, scratch));
    if (!time) {
      fail_data("column '{}' holds no time in row {}; drop or fill such rows", names_.time, rows_);
    }
    return *time;
  }
  double number(const Column& column, std::int64_t row, const std::string& name) const {
    const double value = column.missing(row) ? std::nan("") : column.number(row);
    if (!std::isfinite(value)) {
      fail_data("column '{}' holds no finite number in row {}; drop or fill such rows", name,
                rows_);
    }
    return value;
  }

  const ArrowSchema& table_;
  const ArrowColumns& names_;
  data::Interactions& log_;
  data::Interactions seen_;  // rows below min_rating, in numbers of their own
  Chosen chosen_;
  std::int64_t rows_ = 0;
};

}  // namespace

ArrowLog read_arrow(ArrowArrayStream& stream, const ArrowColumns& columns) {
  Owned<ArrowSchema> schema;
  check(stream, stream.get_schema(&stream, &schema));
  if (std::string_view(schema.format) != "+s") {
    fail_data("the Arrow stream holds no table; give a frame with a user and an item column");
  }
  ArrowLog result;
  Reader reader(schema, columns, result.log);
  result.user_numbers = reader.numbers(&Chosen::user);
  result.item_numbers = reader.numbers(&Chosen::item);
  for (;;) {
    Owned<ArrowArray> batch;
    check(stream, stream.get_next(&stream, &batch));
    if (batch.release == nullptr) break;
    reader.read(batch);
  }
  reader.finish();
  if (result.log.pairs.empty()) fail_data("the table holds no interaction; check its filters");
  data::merge_duplicates(result.log);
  return result;
}

}  // namespace evenkeel::python
