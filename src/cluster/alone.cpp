// In: a process without others. Out: its own bytes, where they are already.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "cluster/cluster.h"

namespace evenkeel::cluster {
namespace {

class Alone final : public Cluster {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void gather_all(void*, std::span<const std::size_t>) override {}
  void gather(void*, std::span<const std::size_t>) override {}
  void exchange(const void* send, std::span<const std::size_t> send_cuts, void* receive,
                std::span<const std::size_t> receive_cuts) override {
    const std::size_t bytes = send_cuts[1] - send_cuts[0];
    if (bytes == 0) return;
    std::memcpy(static_cast<char*>(receive) + receive_cuts[0],
                static_cast<const char*>(send) + send_cuts[0], bytes);
  }
  void broadcast(void*, std::size_t, int) override {}
  void sum(std::span<std::uint64_t>) override {}
  void barrier() override {}
  bool all_leave_within(double) override { return true; }
  [[noreturn]] void abort(int exit_code) override { std::_Exit(exit_code); }
  std::uint64_t received_bytes() const override { return 0; }
};

}  // namespace

Cluster& alone() {
  static Alone one;
  return one;
}

bool any(Cluster& cluster, bool here) {
  if (cluster.alone()) return here;
  std::uint64_t count = here ? 1 : 0;
  cluster.sum({&count, 1});
  return count > 0;
}

void even_cuts(std::size_t size, std::size_t grain, std::span<std::size_t> cuts) {
  const std::size_t ranks = cuts.size() - 1, grains = (size + grain - 1) / grain;
  for (std::size_t r = 0; r <= ranks; ++r) cuts[r] = std::min(size, grains * r / ranks * grain);
}

std::vector<std::size_t> even_cuts(std::size_t size, std::size_t grain, int ranks) {
  std::vector<std::size_t> cuts(static_cast<std::size_t>(ranks) + 1);
  even_cuts(size, grain, cuts);
  return cuts;
}

}  // namespace evenkeel::cluster
