// In: a file that anybody may have written. Out: its arrays, or one sentence about what is wrong.
#include "io/safetensors.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "io/json_text.h"

namespace evenkeel::io {
namespace {

constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;  // the limit of the format's own library
constexpr std::size_t kMostArrays = 4096;               // ours have about twenty

[[noreturn]] void fail_file(const std::string& path, const std::string& what) {
  throw DamagedFile(
      fmt::format("{}: not a usable safetensors file ({}); write or copy it again", path, what),
      what);
}

std::size_t type_size(const std::string& type) {
  struct Known {
    std::string_view name;
    std::size_t size;
  };
  constexpr std::array<Known, 14> kTypes{{{"F32", 4},
                                          {"F64", 8},
                                          {"I32", 4},
                                          {"I64", 8},
                                          {"U8", 1},
                                          {"U32", 4},
                                          {"U64", 8},
                                          {"F16", 2},
                                          {"BF16", 2},
                                          {"I8", 1},
                                          {"I16", 2},
                                          {"U16", 2},
                                          {"BOOL", 1},
                                          {"F8_E4M3", 1}}};
  for (const Known& known : kTypes) {
    if (known.name == type) return known.size;
  }
  return 0;
}

// Bytes of an array, or no value when the product does not fit 64 bits.
std::optional<std::uint64_t> byte_count(const std::vector<std::uint64_t>& shape,
                                        std::size_t item_size) {
  std::uint64_t product = item_size;
  bool overflow = false;
  bool empty = false;
  for (const std::uint64_t axis : shape) {
    empty = empty || axis == 0;
    overflow = __builtin_mul_overflow(product, axis, &product) || overflow;
  }
  if (empty) return 0;
  if (overflow) return std::nullopt;
  return product;
}

std::vector<std::uint64_t> unsigned_list(const nlohmann::json& entry, const char* key,
                                         const std::string& path, const std::string& name) {
  std::vector<std::uint64_t> list;
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_array()) {
    fail_file(path, fmt::format("array '{}' has no list '{}'", name, key));
  }
  for (const auto& number : *found) {
    if (!number.is_number_unsigned()) {
      fail_file(path, fmt::format("'{}' of array '{}' holds more than whole numbers", key, name));
    }
    list.push_back(number.get<std::uint64_t>());
  }
  return list;
}

// Goes through a header before it is parsed: no name twice, no more arrays than a file may have.
class HeaderNames final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit HeaderNames(const std::string& path) : path_(path) {}

  bool key(std::string& name) override {
    if (depth_ == 2) keys_.emplace_back(name);
    if (depth_ != 1) return true;
    names_.emplace_back(name);
    if (names_.size() > kMostArrays + 1) {  // one is for the notes
      fail_file(path_, fmt::format("it names more than {} arrays", kMostArrays));
    }
    return true;
  }
  bool start_object(std::size_t) override {
    ++depth_;
    return true;
  }
  bool end_object() override {
    if (depth_ == 2) check_once(keys_);
    if (depth_ == 1) check_once(names_);
    --depth_;
    return true;
  }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    fail_file(path_, "its header is not JSON");
  }

 private:
  void check_once(std::vector<std::string>& names) {
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) fail_file(path_, fmt::format("its header names '{}' twice", *twice));
    names.clear();
  }

  const std::string& path_;
  std::size_t depth_ = 0;
  std::vector<std::string> names_, keys_;  // of the header, of the object that is open in it
};

// JSON that a safetensors header can be: objects no deeper than needed, no name twice.
nlohmann::json parse_strictly(const std::string& text, const std::string& path) {
  constexpr std::size_t kLevels = 3;  // the header, an array's entry, its shape
  HeaderNames names(path);
  nlohmann::json::sax_parse(text, &names);
  nlohmann::json header = parse_json(text, kLevels);
  if (header.is_discarded()) fail_file(path, "its header is nested too deep");
  if (!header.is_object()) fail_file(path, "its header is not a JSON object");
  return header;
}

}  // namespace

SafetensorsFile::SafetensorsFile(SafetensorsFile&& other) noexcept {
  *this = std::move(other);
}

SafetensorsFile& SafetensorsFile::operator=(SafetensorsFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(data_start_, other.data_start_);
  std::swap(tensors_, other.tensors_);
  std::swap(metadata_, other.metadata_);
  return *this;
}

SafetensorsFile::~SafetensorsFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

SafetensorsFile SafetensorsFile::open(const std::string& path) {
  SafetensorsFile file;
  file.path_ = path;
  file.descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file.descriptor_ < 0) {
    fail_data("{}: cannot read ({}); check the path", path, std::strerror(errno));
  }
  struct stat status {};
  if (::fstat(file.descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
    fail_data("{}: not a file; give the path of a safetensors file", path);
  }
  const auto size = static_cast<std::uint64_t>(status.st_size);
  std::uint64_t length = 0;
  if (size < sizeof(length)) fail_file(path, fmt::format("only {} bytes long", size));
  Tensor whole;  // until the header is known, positions count from the start of the file
  file.read(whole, 0, &length, sizeof(length));
  if (length > size - sizeof(length) || length > kMaxHeaderBytes) {
    fail_file(path, fmt::format("a header of {} bytes does not fit its {} bytes", length, size));
  }
  std::string text(length, '\0');
  file.read(whole, sizeof(length), text.data(), text.size());
  file.data_start_ = sizeof(length) + length;
  file.parse_header(text, size - file.data_start_);
  return file;
}

void SafetensorsFile::parse_header(const std::string& text, std::uint64_t data_bytes) {
  const nlohmann::json header = parse_strictly(text, path_);
  for (const auto& [name, entry] : header.items()) {
    if (!entry.is_object()) fail_file(path_, fmt::format("'{}' is not an object", name));
    if (name == "__metadata__") {
      for (const auto& [key, value] : entry.items()) {
        if (!value.is_string()) fail_file(path_, fmt::format("note '{}' is not text", key));
        metadata_[key] = value.get<std::string>();
      }
      continue;
    }
    Tensor tensor;
    const auto type = entry.find("dtype");
    if (type == entry.end() || !type->is_string() || type_size(type->get<std::string>()) == 0) {
      fail_file(path_, fmt::format("array '{}' has an unknown type", name));
    }
    tensor.type = type->get<std::string>();
    tensor.shape = unsigned_list(entry, "shape", path_, name);
    const auto offsets = unsigned_list(entry, "data_offsets", path_, name);
    if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > data_bytes) {
      fail_file(path_, fmt::format("array '{}' lies outside the file", name));
    }
    tensor.begin = offsets[0];
    tensor.end = offsets[1];
    if (byte_count(tensor.shape, type_size(tensor.type)) != tensor.end - tensor.begin) {
      fail_file(path_, fmt::format("the shape of array '{}' does not match its bytes", name));
    }
    tensors_.emplace(name, std::move(tensor));
  }
  check_layout(data_bytes);
}

// The arrays must tile the data: no overlap, no hole where something could hide, nothing cut off.
void SafetensorsFile::check_layout(std::uint64_t data_bytes) const {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  for (const auto& [name, tensor] : tensors_) ranges.emplace_back(tensor.begin, tensor.end);
  std::sort(ranges.begin(), ranges.end());
  std::uint64_t covered = 0;
  for (const auto& [begin, end] : ranges) {
    if (begin != covered) fail_file(path_, "its arrays overlap or leave a hole");
    covered = end;
  }
  if (covered != data_bytes) {
    fail_file(path_,
              fmt::format("{} bytes of data where its header names {}", data_bytes, covered));
  }
}

std::vector<std::string> SafetensorsFile::names() const {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : tensors_) names.push_back(name);
  return names;
}

const std::vector<std::uint64_t>& SafetensorsFile::shape(std::string_view name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) fail_file(path_, fmt::format("array '{}' is missing", name));
  return found->second.shape;
}

const SafetensorsFile::Tensor& SafetensorsFile::find(std::string_view name, std::string_view type,
                                                     std::size_t axes) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) fail_file(path_, fmt::format("array '{}' is missing", name));
  const Tensor& tensor = found->second;
  if (tensor.type != type || tensor.shape.size() != axes) {
    fail_file(path_, fmt::format("array '{}' is {} with {} axes where {} with {} is needed", name,
                                 tensor.type, tensor.shape.size(), type, axes));
  }
  return tensor;
}

// pread, not a map: a file that is cut while we read gives an error here instead of a signal.
void SafetensorsFile::read(const Tensor& tensor, std::uint64_t offset, void* out,
                           std::size_t size) const {
  char* to = static_cast<char*>(out);
  std::uint64_t position = data_start_ + tensor.begin + offset;
  while (size > 0) {
    const ssize_t got = ::pread(descriptor_, to, size, static_cast<off_t>(position));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_data("{}: cannot read ({}); check the disk", path_, std::strerror(errno));
    if (got == 0) fail_file(path_, "it became shorter while it was read");
    to += got;
    position += static_cast<std::uint64_t>(got);
    size -= static_cast<std::size_t>(got);
  }
}

Matrix SafetensorsFile::matrix(std::string_view name) const {
  return matrix(name, {0, find(name, tensor_type<float>(), 2).shape[0]});
}

Matrix SafetensorsFile::matrix(std::string_view name, RowRange held) const {
  const Tensor& tensor = find(name, tensor_type<float>(), 2);
  if (tensor.begin == tensor.end && tensor.shape[0] != 0) {
    fail_file(path_, fmt::format("array '{}' has rows without values", name));
  }
  EVENKEEL_CHECK(held.begin <= held.end && held.end <= tensor.shape[0]);
  Matrix matrix(tensor.shape[0], tensor.shape[1], held);
  // Rows are read through a buffer: one call per row would be slow, one for all would hold it
  // twice.
  const std::size_t row_bytes = matrix.dim() * sizeof(float);
  const std::size_t rows_at_once =
      std::max<std::size_t>(1, (1 << 20) / std::max<std::size_t>(row_bytes, 1));
  std::vector<char> buffer(std::min(rows_at_once, held.size()) * row_bytes);
  for (std::size_t begin = held.begin; begin < held.end; begin += rows_at_once) {
    const std::size_t count = std::min(rows_at_once, held.end - begin);
    read(tensor, begin * row_bytes, buffer.data(), count * row_bytes);
    for (std::size_t r = 0; r < count; ++r) {
      std::memcpy(matrix.row(begin + r), buffer.data() + r * row_bytes, row_bytes);
    }
  }
  return matrix;
}

std::string SafetensorsFile::bytes(std::string_view name) const {
  const Tensor& tensor = find(name, tensor_type<std::uint8_t>(), 1);
  std::string text(tensor.shape[0], '\0');
  read(tensor, 0, text.data(), text.size());
  return text;
}

}  // namespace evenkeel::io
