// A safetensors file taken apart. In: its path; out: notes and arrays that a test may change, and
// the file of what it made of them.
#pragma once

#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace evenkeel::testing {

struct StoredArray {
  std::string type;
  std::vector<std::uint64_t> shape;
  std::string bytes;

  template <typename T>
  void set(std::size_t place, T value) {
    std::memcpy(bytes.data() + place * sizeof(T), &value, sizeof(T));
  }
};

struct CheckpointFile {
  std::map<std::string, std::string> notes;
  std::map<std::string, StoredArray> arrays;

  static CheckpointFile read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(file), {}};
    std::uint64_t length = 0;
    std::memcpy(&length, all.data(), sizeof(length));
    CheckpointFile parts;
    const auto header = nlohmann::json::parse(all.substr(8, length));
    for (const auto& [name, entry] : header.items()) {
      if (name == "__metadata__") {
        parts.notes = entry.get<std::map<std::string, std::string>>();
        continue;
      }
      const std::uint64_t begin = entry["data_offsets"][0], end = entry["data_offsets"][1];
      parts.arrays[name] = {entry["dtype"], entry["shape"],
                            all.substr(8 + length + begin, end - begin)};
    }
    return parts;
  }

  void write(const std::string& path) const {
    nlohmann::json header{{"__metadata__", notes}};
    std::string data;
    for (const auto& [name, array] : arrays) {
      header[name] = {{"dtype", array.type},
                      {"shape", array.shape},
                      {"data_offsets", {data.size(), data.size() + array.bytes.size()}}};
      data += array.bytes;
    }
    const std::string text = header.dump();
    const std::uint64_t length = text.size();
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(&length), sizeof(length));
    file << text << data;
  }
};

}  // namespace evenkeel::testing
