// numpy's files. In: a table or texts; out: .npy (one array) or .npz (several, stored in a zip).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "base/matrix.h"

namespace evenkeel::io {

void write_npy(const std::string& path, const Matrix& matrix);  // <f4, [rows, dim]; atomic
void write_npy(const std::string& path, std::span<const std::uint64_t> numbers);  // <u8
void write_npy(const std::string& path, std::span<const std::uint32_t> numbers);  // <u4

// Keeps references only: what is added must live until write() has returned.
class NpzWriter {
 public:
  using TextOf = std::function<std::string_view(std::size_t)>;
  void add(std::string name, const Matrix& matrix);
  void add(std::string name, std::span<const std::uint64_t> numbers);
  void add(std::string name, std::span<const std::uint32_t> numbers);
  // A '<U' array: UTF-8 becomes UTF-32, a byte that is not UTF-8 becomes U+FFFD.
  void add_texts(std::string name, std::size_t count, const TextOf& text_of);
  void write(const std::string& path) const;  // atomic

 private:
  using Sink = FunctionRef<void(const void*, std::size_t)>;
  struct Array {
    std::string name;  // without .npy
    std::string header;
    std::uint64_t bytes = 0;         // header and data
    std::function<void(Sink)> emit;  // the data
  };
  template <typename T>
  void add_numbers(std::string name, std::span<const T> numbers);
  std::vector<Array> arrays_;
};

}  // namespace evenkeel::io
