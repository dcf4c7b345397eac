// A fixed team of threads. In: work cut into chunks; out: the same writes at any thread count,
// because a chunk's result may depend on its number but never on the worker that took it.
#pragma once

#include <cstddef>
#include <memory>

#include "base/function_ref.h"

namespace evenkeel {

// Cores this process may use: CPU affinity and cgroup quota, at least 1.
int available_cores();

class Threads {
 public:
  explicit Threads(int count = 0);  // 0: available_cores()
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  int count() const { return count_; }

  // work(worker) once on every worker; the caller is worker 0. The first exception is rethrown
  // here.
  void run(FunctionRef<void(int)> work);

  // work(begin, end, worker) over [0, size) in chunks of `grain`. Each worker begins with a stretch
  // of its own, the same in every call of the same size, and helps with the others' when it is
  // done.
  void for_chunks(std::size_t size, std::size_t grain,
                  FunctionRef<void(std::size_t, std::size_t, int)> work);

 private:
  struct Team;
  int count_;
  std::unique_ptr<Team> team_;
};

}  // namespace evenkeel
