// In: ranks. Out: certainty that they do the same.
#include "train/rank_checks.h"

#include <fstream>
#include <iterator>

#include "base/error.h"
#include "cluster/agreement.h"
#include "data/hash.h"
#include "kernels/rows.h"
#include "loss/registry.h"

namespace evenkeel::train {
namespace {

std::string program_hash() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return fmt::format("{:016x}", data::hash_bytes(bytes));
}

}  // namespace

void check_ranks(const RunRequest& request, const Settings& settings) {
  cluster::Cluster& ranks = *request.ranks;
  if (ranks.alone()) return;
  // The program first: another one may have other options.
  cluster::check_alike(ranks, {{"the program", program_hash()}});
  std::map<std::string, std::string> values{
      {"--out", request.out},
      {"--resume", request.resume ? "given" : "not given"},
      {"--overwrite", request.overwrite ? "given" : "not given"},
      {"the instruction set", kernels::simd_name()}};
  for (const Field* field : settings.fields()) {
    if (field->name == "threads") continue;  // each rank may have its own
    values["--" + std::string(field->name)] = to_text(settings.value(field->name));
  }
  cluster::check_alike(ranks, values);
  const loss::LossEntry& loss = loss::find_loss(settings.text("loss"));
  if (loss.make_batch != nullptr) {
    fail_config(
        "--loss {} sees a batch as a whole and cannot be divided among {} ranks; train it in one "
        "process, with evenkeel train",
        loss.name, ranks.size());
  }
}

}  // namespace evenkeel::train
