// The writing of prepared data. In: arrays, whole or piece by piece; out: a folder of them with
// their checksums, which appears whole or not at all.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/function_ref.h"
#include "base/threads.h"
#include "data/csr.h"
#include "data/ids.h"
#include "data/prepared.h"
#include "data/whole_folder.h"

namespace evenkeel::data {

class PreparedWriter {
 public:
  PreparedWriter(const std::string& folder, Threads& threads);

  using Append = FunctionRef<void(std::string_view)>;
  void add(const std::string& name, std::string_view bytes);
  // The same for what is never in memory at once: `fill` appends it piece by piece.
  void add(const std::string& name, FunctionRef<void(Append)> fill);
  void add_ids(const std::string& side, std::string_view bytes,
               const std::vector<std::uint64_t>& offsets);
  void add_rows(const std::string& name, const Csr& rows);
  std::uint64_t bytes() const;                            // so far
  std::string place() const { return folder_.file(""); }  // for temporary files
  void commit(nlohmann::json manifest);

 private:
  WholeFolder folder_;
  Threads& threads_;
  std::map<std::string, PreparedArray> arrays_;
};

}  // namespace evenkeel::data
