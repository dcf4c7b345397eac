// In: tables and texts. Out: numpy's own formats: .npy version 1.0, and .npz as a zip of those
// whose entries are stored, so that numpy can read them without unpacking.
#include "io/npy.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "io/atomic_file.h"

namespace evenkeel::io {
namespace {

constexpr std::uint64_t kZipLimit = 0xfffffffeULL;            // without the 64-bit extension
constexpr std::uint64_t kTextLimit = std::uint64_t{1} << 31;  // one very long id widens them all

// Magic, version, header length, then a Python dict padded so that the data starts on 64 bytes.
std::string npy_header(const std::string& type, const std::string& shape) {
  std::string dict =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, shape);
  constexpr std::size_t kPrefix = 10;
  dict.append(63 - (kPrefix + dict.size()) % 64, ' ');
  dict.push_back('\n');
  std::string header("\x93NUMPY\x01\x00", 8);
  header.push_back(static_cast<char>(dict.size() & 0xff));
  header.push_back(static_cast<char>(dict.size() >> 8));
  return header + dict;
}

std::string matrix_header(const Matrix& matrix) {
  return npy_header("<f4", fmt::format("{}, {}", matrix.rows(), matrix.dim()));
}

template <typename T>
std::string numbers_header(std::span<const T> numbers) {
  return npy_header(fmt::format("<u{}", sizeof(T)), fmt::format("{},", numbers.size()));
}

template <typename T>
void write_numbers(const std::string& path, std::span<const T> numbers) {
  AtomicFile file(path);
  file.write(numbers_header(numbers));
  file.write(numbers.data(), numbers.size_bytes());
  file.commit();
}

void append(std::string& out, std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) out.push_back(static_cast<char>(value >> (8 * i) & 0xff));
}

// The next code point of UTF-8 text; a byte that cannot be part of one is U+FFFD by itself.
std::uint32_t next_code_point(std::string_view text, std::size_t& at) {
  constexpr std::uint32_t kBad = 0xfffd;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::uint32_t first = byte(at++);
  if (first < 0x80) return first;
  const std::size_t more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
  if (first < 0xc2 || first > 0xf4 || at + more > text.size()) return kBad;
  std::uint32_t code = first & (0x3fU >> more);
  for (std::size_t i = 0; i < more; ++i) {
    if ((byte(at + i) & 0xc0U) != 0x80) return kBad;
    code = code << 6 | (byte(at + i) & 0x3fU);
  }
  const bool too_long = (more == 2 && code < 0x800) || (more == 3 && code < 0x10000);
  if (too_long || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return kBad;
  at += more;
  return code;
}

std::size_t code_points(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) next_code_point(text, at);
  return count;
}

// The fields that the local header and the central directory share.
std::string zip_fields(const std::string& name, std::uint32_t crc, std::uint64_t size) {
  std::string fields;
  append(fields, 20, 2);      // version needed
  append(fields, 0x0800, 2);  // names are UTF-8
  append(fields, 0, 2);       // stored
  append(fields, 0, 2);       // time, date: a fixed one, so that equal input gives equal bytes
  append(fields, 0x21, 2);    // 1980-01-01
  append(fields, crc, 4);
  append(fields, size, 4);
  append(fields, size, 4);
  append(fields, name.size(), 2);
  append(fields, 0, 2);  // no extra field
  return fields;
}

}  // namespace

void write_npy(const std::string& path, const Matrix& matrix) {
  AtomicFile file(path, Links::kFollow);
  file.write(matrix_header(matrix));
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    file.write(matrix.row(r), matrix.dim() * sizeof(float));
  }
  file.commit();
}

void write_npy(const std::string& path, std::span<const std::uint64_t> numbers) {
  write_numbers(path, numbers);
}

void write_npy(const std::string& path, std::span<const std::uint32_t> numbers) {
  write_numbers(path, numbers);
}

void NpzWriter::add(std::string name, const Matrix& matrix) {
  Array array;
  array.name = std::move(name);
  array.header = matrix_header(matrix);
  array.bytes = array.header.size() + std::uint64_t{matrix.rows()} * matrix.dim() * sizeof(float);
  array.emit = [&matrix](Sink sink) {
    for (std::size_t r = 0; r < matrix.rows(); ++r) {
      sink(matrix.row(r), matrix.dim() * sizeof(float));
    }
  };
  arrays_.push_back(std::move(array));
}

template <typename T>
void NpzWriter::add_numbers(std::string name, std::span<const T> numbers) {
  Array array;
  array.name = std::move(name);
  array.header = numbers_header(numbers);
  array.bytes = array.header.size() + numbers.size_bytes();
  array.emit = [numbers](Sink sink) { sink(numbers.data(), numbers.size_bytes()); };
  arrays_.push_back(std::move(array));
}

void NpzWriter::add(std::string name, std::span<const std::uint64_t> numbers) {
  add_numbers(std::move(name), numbers);
}

void NpzWriter::add(std::string name, std::span<const std::uint32_t> numbers) {
  add_numbers(std::move(name), numbers);
}

void NpzWriter::add_texts(std::string name, std::size_t count, const TextOf& text_of) {
  std::size_t width = 1;
  for (std::size_t i = 0; i < count; ++i) width = std::max(width, code_points(text_of(i)));
  if (width > kTextLimit / 4 / std::max<std::size_t>(count, 1)) {
    fail_run("'{}' needs {} characters for each of {} ids; export as npy, which has no fixed width",
             name, width, count);
  }
  Array array;
  array.name = std::move(name);
  array.header = npy_header(fmt::format("<U{}", width), fmt::format("{},", count));
  array.bytes = array.header.size() + std::uint64_t{count} * width * 4;
  array.emit = [=](Sink sink) {
    std::vector<std::uint32_t> line(width);
    for (std::size_t i = 0; i < count; ++i) {
      std::fill(line.begin(), line.end(), 0);
      const std::string_view text = text_of(i);
      for (std::size_t at = 0, c = 0; at < text.size(); ++c) line[c] = next_code_point(text, at);
      sink(line.data(), width * 4);
    }
  };
  arrays_.push_back(std::move(array));
}

void NpzWriter::write(const std::string& path) const {
  std::uint64_t total = 0;
  for (const Array& array : arrays_) total += array.bytes + 2 * array.name.size() + 200;
  if (total > kZipLimit) {
    fail_run("{}: {} bytes are too many for npz (4 GiB); export as npy", path, total);
  }
  AtomicFile file(path, Links::kFollow);
  std::string directory;
  std::uint64_t offset = 0;
  for (const Array& array : arrays_) {
    const std::string name = array.name + ".npy";
    uLong crc =
        crc32_z(0, reinterpret_cast<const Bytef*>(array.header.data()), array.header.size());
    array.emit([&crc](const void* bytes, std::size_t size) {
      crc = crc32_z(crc, static_cast<const Bytef*>(bytes), size);
    });
    const std::string fields = zip_fields(name, static_cast<std::uint32_t>(crc), array.bytes);
    file.write("PK\x03\x04");
    file.write(fields);
    file.write(name);
    file.write(array.header);
    array.emit([&file](const void* bytes, std::size_t size) { file.write(bytes, size); });
    directory += "PK\x01\x02";
    append(directory, 20, 2);  // made by
    directory += fields;
    append(directory, 0, 2);  // no comment
    append(directory, 0, 2);  // first disk
    append(directory, 0, 2);  // internal attributes
    append(directory, 0, 4);  // external attributes
    append(directory, offset, 4);
    directory += name;
    offset += 4 + fields.size() + name.size() + array.bytes;
  }
  file.write(directory);
  std::string end("PK\x05\x06");
  append(end, 0, 4);  // one disk
  append(end, arrays_.size(), 2);
  append(end, arrays_.size(), 2);
  append(end, directory.size(), 4);
  append(end, offset, 4);
  append(end, 0, 2);  // no comment
  file.write(end);
  file.commit();
}

}  // namespace evenkeel::io
