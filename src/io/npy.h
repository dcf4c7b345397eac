// numpy's files. In: a table or texts; out: .npy (one array) or .npz (several, stored in a zip).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "base/matrix.h"

namespace evenkeel {

void write_npy(const std::string& path, const Matrix& matrix);  // <f4, [rows, dim]; atomic

// Keeps references only: what is added must live until write() has returned.
class NpzWriter {
 public:
  using TextOf = std::function<std::string_view(std::size_t)>;
  void add(std::string name, const Matrix& matrix);
  // A '<U' array: UTF-8 becomes UTF-32, a byte that is not UTF-8 becomes U+FFFD.
  void add_texts(std::string name, std::size_t count, TextOf text_of);
  void write(const std::string& path) const;  // atomic

 private:
  using Sink = FunctionRef<void(const void*, std::size_t)>;
  struct Array {
    std::string name;  // without .npy
    std::string header;
    std::uint64_t bytes = 0;         // header and data
    std::function<void(Sink)> emit;  // the data
  };
  std::vector<Array> arrays_;
};

}  // namespace evenkeel
