// The writing of prepared data. In: arrays, whole or piece by piece; out: a folder of them with
// their checksums, which appears whole or not at all.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "base/threads.h"
#include "data/csr.h"
#include "data/ids.h"
#include "data/prepared.h"
#include "data/whole_folder.h"
#include "io/placed_file.h"

namespace evenkeel::data {

class PreparedWriter {
 public:
  PreparedWriter(const std::string& folder, Threads& threads);

  using Append = FunctionRef<void(std::string_view)>;
  void add(const std::string& name, std::string_view bytes);
  // The same for what is made block by block on all threads: make(offset, block) fills a block.
  using Make = FunctionRef<void(std::uint64_t, std::span<char>)>;
  void add(const std::string& name, std::uint64_t bytes, Make make);
  // The same for what is never in memory at once: `fill` appends it piece by piece.
  void add(const std::string& name, FunctionRef<void(Append)> fill);
  void add_ids(const std::string& side, std::string_view bytes,
               const std::vector<std::uint64_t>& offsets);
  void add_rows(const std::string& name, const Csr& rows);
  std::uint64_t bytes() const;                            // so far
  std::string place() const { return folder_.file(""); }  // for temporary files
  void commit(nlohmann::json manifest);

 private:
  // block(offset, size, worker) gives each block of the file.
  using Block = FunctionRef<std::string_view(std::uint64_t, std::size_t, int)>;
  void add_blocks(const std::string& name, std::uint64_t bytes, Block block);
  io::PlacedFile& new_file(const std::string& name);

  WholeFolder folder_;
  Threads& threads_;
  std::map<std::string, PreparedArray> arrays_;
  // Flushed at the end: the disk writes while further arrays are made.
  std::vector<std::unique_ptr<io::PlacedFile>> files_;
};

}  // namespace evenkeel::data
