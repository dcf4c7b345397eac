// safetensors: named arrays in one file that holds no code. In: tables, arrays and a text map; out:
// the file. Back: every length, type and offset is checked before a byte of data is touched.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/matrix.h"

namespace evenkeel::io {

template <typename T>
concept TensorValue =
    std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, std::int32_t> ||
    std::same_as<T, std::int64_t> || std::same_as<T, std::uint8_t> ||
    std::same_as<T, std::uint32_t> || std::same_as<T, std::uint64_t>;

template <TensorValue T>
constexpr std::string_view tensor_type() {
  if constexpr (std::same_as<T, float>) return "F32";
  if constexpr (std::same_as<T, double>) return "F64";
  if constexpr (std::same_as<T, std::int32_t>) return "I32";
  if constexpr (std::same_as<T, std::int64_t>) return "I64";
  if constexpr (std::same_as<T, std::uint8_t>) return "U8";
  if constexpr (std::same_as<T, std::uint32_t>) return "U32";
  return "U64";
}

class AtomicFile;

// Keeps references only: what is added must live until write() has returned.
class SafetensorsWriter {
 public:
  void add(std::string name, const Matrix& matrix);  // [rows, dim], without the padding
  void add(std::string name, const Matrix&& temporary) = delete;
  // A table whose rows are not all here: `fetch` gives rows [first, first + count), each `stride`
  // floats, and is asked for one stretch after the other, table by table as they were added.
  struct FetchedRows {
    std::size_t rows = 0, dim = 0, stride = 0;
    std::size_t at_once = 1;
    std::function<const float*(std::size_t first, std::size_t count)> fetch;
  };
  void add(std::string name, FetchedRows rows);
  template <TensorValue T>
  void add(const std::string& name, std::span<const T> values) {
    add_bytes(name, tensor_type<T>(), sizeof(T), values.data(), values.size());
  }
  template <TensorValue T>
  void add(const std::string& name, const std::vector<T>& values) {
    add(name, std::span<const T>(values));
  }
  template <TensorValue T>
  void add(std::string name, const std::vector<T>&& temporary) = delete;
  void add(std::string name, std::string_view bytes);  // U8
  void metadata(std::string key, std::string value);
  void write(const std::string& path) const;  // atomic

 private:
  struct Tensor {
    std::string name;
    std::string_view type;
    std::size_t item_size = 0;
    std::vector<std::uint64_t> shape;
    const Matrix* matrix = nullptr;  // or
    FetchedRows fetched = {};        // or
    const void* data = nullptr;
    std::uint64_t bytes = 0;
  };
  void add_bytes(std::string name, std::string_view type, std::size_t item_size, const void* data,
                 std::size_t count);
  Tensor& add_table(std::string name, std::size_t rows, std::size_t dim);
  static void write_fetched(const FetchedRows& from, AtomicFile& file);
  void check_new(const std::string& name) const;
  std::string header(const std::vector<const Tensor*>& order) const;
  std::vector<Tensor> tensors_;
  std::map<std::string, std::string> metadata_;
};

// What is wrong inside a file, apart from the sentence, for readers who know what the file was.
class DamagedFile final : public Error {
 public:
  DamagedFile(const std::string& sentence, std::string damage)
      : Error(ErrorKind::kData, sentence), damage_(std::move(damage)) {}
  const std::string& damage() const { return damage_; }

 private:
  std::string damage_;
};

// An opened, fully checked file. Arrays are read when asked for; a name that is missing or has
// another type or shape is a data error that names the file and the array.
class SafetensorsFile {
 public:
  static SafetensorsFile open(const std::string& path);
  SafetensorsFile(SafetensorsFile&& other) noexcept;
  SafetensorsFile& operator=(SafetensorsFile&& other) noexcept;
  ~SafetensorsFile();

  bool has(std::string_view name) const { return tensors_.contains(name); }
  std::vector<std::string> names() const;
  const std::vector<std::uint64_t>& shape(std::string_view name) const;
  const std::map<std::string, std::string>& metadata() const { return metadata_; }

  Matrix matrix(std::string_view name) const;                 // a 2-d F32 array, padded rows
  Matrix matrix(std::string_view name, RowRange held) const;  // a part of it
  std::string bytes(std::string_view name) const;             // a U8 array
  template <TensorValue T>
  std::vector<T> vector(std::string_view name) const {  // a 1-d array
    const Tensor& tensor = find(name, tensor_type<T>(), 1);
    std::vector<T> values(tensor.shape[0]);
    read(tensor, 0, values.data(), values.size() * sizeof(T));
    return values;
  }

 private:
  struct Tensor {
    std::string type;
    std::vector<std::uint64_t> shape;
    std::uint64_t begin = 0, end = 0;  // from the end of the header
  };
  SafetensorsFile() = default;
  void parse_header(const std::string& text, std::uint64_t data_bytes);
  void check_layout(std::uint64_t data_bytes) const;
  const Tensor& find(std::string_view name, std::string_view type, std::size_t axes) const;
  void read(const Tensor& tensor, std::uint64_t offset, void* out, std::size_t size) const;

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t data_start_ = 0;
  std::map<std::string, Tensor, std::less<>> tensors_;
  std::map<std::string, std::string> metadata_;
};

}  // namespace evenkeel::io
