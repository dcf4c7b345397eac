// The ranks of a training over several processes. In: bytes and whole numbers of one rank; out:
// those of all ranks. Nobody else knows how they travel. Never a sum of floats: its order would
// depend on the number of ranks; gather the summands and add them in their own order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace evenkeel::cluster {

class Cluster {
 public:
  virtual ~Cluster() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  bool alone() const { return size() == 1; }
  bool first() const { return rank() == 0; }

  // All that follow are called by every rank, in the same order and with the same cuts. Cuts are
  // size() + 1 byte offsets: those of rank r lie from cuts[r] to cuts[r + 1].

  // Before: `data` holds this rank's stretch. After: everybody's.
  virtual void gather_all(void* data, std::span<const std::size_t> cuts) = 0;
  // The same, but only the first rank has everybody's.
  virtual void gather(void* data, std::span<const std::size_t> cuts) = 0;
  // Stretch r of `send` goes to rank r; stretch r of `receive` comes from it.
  virtual void exchange(const void* send, std::span<const std::size_t> send_cuts, void* receive,
                        std::span<const std::size_t> receive_cuts) = 0;
  virtual void broadcast(void* data, std::size_t bytes, int from) = 0;
  virtual void sum(std::span<std::uint64_t> values) = 0;  // over ranks, in place
  virtual void barrier() = 0;

  // Whether every rank calls this within some seconds: after an error, to tell one that all ranks
  // met from one that leaves the others waiting.
  virtual bool all_leave_within(double seconds) = 0;
  [[noreturn]] virtual void abort(int exit_code) = 0;  // ends every rank at once

  // Bytes that this rank has received from others so far.
  virtual std::uint64_t received_bytes() const = 0;
};

// One process: every collective is done before it begins. It has no state.
Cluster& alone();

// Whether any rank says so.
bool any(Cluster& cluster, bool here);

// [0, size) cut among the ranks, each with about equally many grains: size() + 1 places.
std::vector<std::size_t> even_cuts(std::size_t size, std::size_t grain, int ranks);
void even_cuts(std::size_t size, std::size_t grain, std::span<std::size_t> cuts);

}  // namespace evenkeel::cluster
