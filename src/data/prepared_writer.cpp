// In: arrays. Out: their folder, and the checksums that guard it.
#include "data/prepared_writer.h"

#include <fmt/format.h>

#include <cstring>

#include "data/hash.h"
#include "io/atomic_file.h"
#include "io/json_text.h"

namespace evenkeel::data {
namespace {

using nlohmann::json;

std::string hash_text(std::string_view bytes) {
  return fmt::format("{:016x}", hash_bytes(bytes));
}

template <typename T>
std::string_view bytes_of(const T* values, std::size_t count) {
  return {reinterpret_cast<const char*>(values), count * sizeof(T)};
}

}  // namespace

PreparedWriter::PreparedWriter(const std::string& folder, Threads& threads)
    : folder_(folder, kPreparedKind), threads_(threads) {}

io::PlacedFile& PreparedWriter::new_file(const std::string& name) {
  files_.push_back(std::make_unique<io::PlacedFile>(folder_.file(name)));
  return *files_.back();
}

void PreparedWriter::add_blocks(const std::string& name, std::uint64_t bytes, Block block) {
  io::PlacedFile& file = new_file(name);
  std::string hashes((bytes + kChecksumBlock - 1) / kChecksumBlock * 8, '\0');
  threads_.for_chunks(bytes, kChecksumBlock, [&](std::size_t begin, std::size_t end, int worker) {
    const std::string_view made = block(begin, end - begin, worker);
    const std::uint64_t hash = hash_bytes(made);
    std::memcpy(hashes.data() + begin / kChecksumBlock * 8, &hash, 8);
    file.write(begin, made);
  });
  arrays_[name] = {bytes, hash_text(hashes)};
}

void PreparedWriter::add(const std::string& name, std::string_view bytes) {
  add_blocks(name, bytes.size(), [&](std::uint64_t offset, std::size_t size, int) {
    return bytes.substr(offset, size);
  });
}

void PreparedWriter::add(const std::string& name, std::uint64_t bytes, Make make) {
  std::vector<std::vector<char>> blocks(static_cast<std::size_t>(threads_.count()));
  add_blocks(name, bytes, [&](std::uint64_t offset, std::size_t size, int worker) {
    std::vector<char>& block = blocks[static_cast<std::size_t>(worker)];
    block.resize(size);
    make(offset, block);
    return std::string_view(block.data(), size);
  });
}

void PreparedWriter::add(const std::string& name, FunctionRef<void(Append)> fill) {
  io::PlacedFile& file = new_file(name);
  std::string block, hashes;
  std::uint64_t total = 0;
  const auto flush = [&](std::size_t size) {
    const std::uint64_t hash = hash_bytes(std::string_view(block).substr(0, size));
    hashes.append(reinterpret_cast<const char*>(&hash), sizeof hash);
    file.write(total, std::string_view(block).substr(0, size));
    total += size;
    block.erase(0, size);
  };
  const auto append = [&](std::string_view bytes) {
    block.append(bytes);
    while (block.size() >= kChecksumBlock) flush(kChecksumBlock);
  };
  fill(append);
  if (!block.empty()) flush(block.size());
  arrays_[name] = {total, hash_text(hashes)};
}

std::uint64_t PreparedWriter::bytes() const {
  std::uint64_t total = 0;
  for (const auto& [name, array] : arrays_) total += array.bytes;
  return total;
}

void PreparedWriter::add_ids(const std::string& side, std::string_view bytes,
                             const std::vector<std::uint64_t>& offsets) {
  add(side + ".bytes", bytes);
  add(side + ".offsets", bytes_of(offsets.data(), offsets.size()));
}

void PreparedWriter::add_rows(const std::string& name, const Csr& rows) {
  add(name + ".rows", bytes_of(rows.offsets.data(), rows.offsets.size()));
  add(name + ".columns", bytes_of(rows.columns.data(), rows.columns.size()));
}

void PreparedWriter::commit(json manifest) {
  for (const auto& file : files_) file->finish();
  manifest["format"] = kPreparedKind.format;
  manifest["format_version"] = kPreparedVersion;
  manifest["files"] = json::array();
  manifest["arrays"] = json::object();
  for (const auto& [name, array] : arrays_) {
    manifest["files"].push_back(name);
    manifest["arrays"][name] = {{"bytes", array.bytes}, {"checksum", array.checksum}};
  }
  manifest = io::parse_json(io::dump_json(manifest));  // as it will be read
  manifest["checksum"] = checksum_of(manifest);
  io::write_file_atomically(folder_.file(kPreparedKind.manifest),
                            io::dump_json(manifest, 2) + "\n");
  folder_.commit();
}

std::string checksum_of(std::uint64_t bytes,
                        FunctionRef<std::string_view(std::size_t, std::size_t)> block,
                        Threads& threads) {
  std::string hashes((bytes + kChecksumBlock - 1) / kChecksumBlock * sizeof(std::uint64_t), '\0');
  threads.for_chunks(bytes, kChecksumBlock, [&](std::size_t begin, std::size_t end, int) {
    const std::uint64_t hash = hash_bytes(block(begin, end));
    std::memcpy(hashes.data() + begin / kChecksumBlock * sizeof hash, &hash, sizeof hash);
  });
  return hash_text(hashes);
}

std::string checksum_of(json manifest) {
  manifest.erase("checksum");
  return hash_text(manifest.dump());
}

}  // namespace evenkeel::data
