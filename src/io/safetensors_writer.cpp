// In: named arrays and a text map. Out: 8 bytes of header length, the JSON header padded with
// spaces to a multiple of 8, then the arrays back to back, widest type first so that each is
// aligned.
#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "io/atomic_file.h"
#include "io/safetensors.h"

namespace evenkeel::io {

static_assert(std::endian::native == std::endian::little, "safetensors files are little-endian");

void SafetensorsWriter::check_new(const std::string& name) const {
  EVENKEEL_CHECK(!name.empty() && name != "__metadata__");
  for (const Tensor& tensor : tensors_) EVENKEEL_CHECK(tensor.name != name);
}

SafetensorsWriter::Tensor& SafetensorsWriter::add_table(std::string name, std::size_t rows,
                                                        std::size_t dim) {
  check_new(name);
  Tensor tensor;
  tensor.name = std::move(name);
  tensor.type = tensor_type<float>();
  tensor.item_size = sizeof(float);
  tensor.shape = {rows, dim};
  tensor.bytes = std::uint64_t{rows} * dim * sizeof(float);
  tensors_.push_back(std::move(tensor));
  return tensors_.back();
}

void SafetensorsWriter::add(std::string name, const Matrix& matrix) {
  EVENKEEL_CHECK(matrix.holds_all());
  add_table(std::move(name), matrix.rows(), matrix.dim()).matrix = &matrix;
}

void SafetensorsWriter::add(std::string name, FetchedRows rows) {
  add_table(std::move(name), rows.rows, rows.dim).fetched = std::move(rows);
}

void SafetensorsWriter::add(std::string name, std::string_view bytes) {
  add_bytes(std::move(name), tensor_type<std::uint8_t>(), 1, bytes.data(), bytes.size());
}

void SafetensorsWriter::add_bytes(std::string name, std::string_view type, std::size_t item_size,
                                  const void* data, std::size_t count) {
  check_new(name);
  Tensor tensor;
  tensor.name = std::move(name);
  tensor.type = type;
  tensor.item_size = item_size;
  tensor.shape = {count};
  tensor.data = data;
  tensor.bytes = std::uint64_t{count} * item_size;
  tensors_.push_back(std::move(tensor));
}

void SafetensorsWriter::metadata(std::string key, std::string value) {
  metadata_[std::move(key)] = std::move(value);
}

std::string SafetensorsWriter::header(const std::vector<const Tensor*>& order) const {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata_.empty()) header["__metadata__"] = metadata_;
  std::uint64_t offset = 0;
  for (const Tensor* tensor : order) {
    header[tensor->name] = {{"dtype", tensor->type},
                            {"shape", tensor->shape},
                            {"data_offsets", {offset, offset + tensor->bytes}}};
    offset += tensor->bytes;
  }
  // Notes may hold a path in any encoding; the header must be UTF-8.
  std::string text = header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  text.append((8 - text.size() % 8) % 8, ' ');
  return text;
}

void SafetensorsWriter::write_fetched(const FetchedRows& from, AtomicFile& file) {
  for (std::size_t first = 0; first < from.rows; first += from.at_once) {
    const std::size_t count = std::min(from.at_once, from.rows - first);
    const float* rows = from.fetch(first, count);
    for (std::size_t r = 0; r < count; ++r) {
      file.write(rows + r * from.stride, from.dim * sizeof(float));
    }
  }
}

void SafetensorsWriter::write(const std::string& path) const {
  std::vector<const Tensor*> order;
  for (const Tensor& tensor : tensors_) order.push_back(&tensor);
  std::stable_sort(order.begin(), order.end(),
                   [](const Tensor* a, const Tensor* b) { return a->item_size > b->item_size; });
  const std::string text = header(order);
  const std::uint64_t length = text.size();
  AtomicFile file(path);
  file.write(&length, sizeof(length));
  file.write(text);
  for (const Tensor* tensor : order) {
    if (tensor->matrix != nullptr) {
      for (std::size_t r = 0; r < tensor->matrix->rows(); ++r) {
        file.write(tensor->matrix->row(r), tensor->matrix->dim() * sizeof(float));
      }
    } else if (tensor->fetched.fetch) {
      write_fetched(tensor->fetched, file);
    } else {
      file.write(tensor->data, tensor->bytes);
    }
  }
  file.commit();
}

}  // namespace evenkeel::io
