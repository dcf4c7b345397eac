// In: work for all workers. Out: done, or the first exception of any of them.
#include "base/threads.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <fstream>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/error.h"

namespace evenkeel {
namespace {

// cgroup v2 writes "max 100000" or "QUOTA PERIOD" to cpu.max; v1 has the two numbers in two files.
int cgroup_cores() {
  std::ifstream v2("/sys/fs/cgroup/cpu.max");
  std::string quota;
  double period = 0;
  if (v2 >> quota >> period && quota != "max" && period > 0) {
    return std::max(1, static_cast<int>(std::lround(std::stod(quota) / period)));
  }
  std::ifstream v1_quota("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
  std::ifstream v1_period("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
  double allowed = 0;
  if (v1_quota >> allowed && v1_period >> period && allowed > 0 && period > 0) {
    return std::max(1, static_cast<int>(std::lround(allowed / period)));
  }
  return 1 << 16;
}

// A step of training opens a region every fraction of a millisecond; waking a sleeping thread
// costs 5-50 us, so a worker first looks around for a while.
constexpr int kSpins = 4000;

}  // namespace

int available_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  int cores = static_cast<int>(std::thread::hardware_concurrency());
  if (sched_getaffinity(0, sizeof(set), &set) == 0) cores = CPU_COUNT(&set);
  return std::max(1, std::min(cores, cgroup_cores()));
}

// A worker's share of the chunks, [front, back): it takes them from the front, and others, once
// their own are done, from the back. A share is about the same stretch of the work in every region,
// so that what a worker wrote in one is in its own cache in the next: a row that another core's
// cache holds changed can be dearer than one from memory.
class alignas(64) Share {
 public:
  void fill(std::uint32_t front, std::uint32_t back) {
    ends_.store(pack(front, back), std::memory_order_relaxed);
  }
  // The number of a chunk, or -1 when none is left.
  std::int64_t take(bool from_front) {
    std::uint64_t ends = ends_.load(std::memory_order_relaxed);
    for (;;) {
      const auto front = static_cast<std::uint32_t>(ends >> 32);
      const auto back = static_cast<std::uint32_t>(ends);
      if (front >= back) return -1;
      const std::uint64_t left = from_front ? pack(front + 1, back) : pack(front, back - 1);
      if (ends_.compare_exchange_weak(ends, left, std::memory_order_relaxed)) {
        return from_front ? front : back - 1;
      }
    }
  }

 private:
  static std::uint64_t pack(std::uint32_t front, std::uint32_t back) {
    return std::uint64_t{front} << 32 | back;
  }
  std::atomic<std::uint64_t> ends_{0};
};

struct Threads::Team {
  explicit Team(int count) : shares(static_cast<std::size_t>(count)) {}

  std::vector<std::thread> workers;
  std::vector<Share> shares;
  std::mutex mutex;
  std::condition_variable wake;
  std::atomic<std::uint64_t> round{0};
  std::atomic<int> running{0};
  std::atomic<bool> stop{false};
  const FunctionRef<void(int)>* work = nullptr;
  std::exception_ptr failure;
  bool spin = true;

  void guarded(int worker) {
    try {
      (*work)(worker);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  }

  void dismiss() {
    stop.store(true, std::memory_order_release);
    {
      const std::lock_guard lock(mutex);
      round.fetch_add(1, std::memory_order_acq_rel);
    }
    wake.notify_all();
    for (std::thread& worker : workers) worker.join();
  }

  void loop(int worker) {
    std::uint64_t seen = 0;
    for (;;) {
      for (int i = 0; spin && i < kSpins && round.load(std::memory_order_acquire) == seen; ++i) {
        if (i > kSpins / 2) std::this_thread::yield();
      }
      if (round.load(std::memory_order_acquire) == seen) {
        std::unique_lock lock(mutex);
        wake.wait(lock, [&] { return round.load(std::memory_order_acquire) != seen; });
      }
      seen = round.load(std::memory_order_acquire);
      if (stop.load(std::memory_order_acquire)) return;
      guarded(worker);
      running.fetch_sub(1, std::memory_order_acq_rel);
    }
  }
};

Threads::Threads(int count)
    : count_(count > 0 ? count : available_cores()), team_(std::make_unique<Team>(count_)) {
  team_->spin = count_ <= available_cores();
  try {
    for (int worker = 1; worker < count_; ++worker) {
      team_->workers.emplace_back([this, worker] { team_->loop(worker); });
    }
  } catch (const std::system_error& failure) {
    team_->dismiss();
    fail_run("{} threads cannot be started: {}; give fewer", count_, failure.what());
  }
}

Threads::~Threads() {
  team_->dismiss();
}

void Threads::run(FunctionRef<void(int)> work) {
  Team& team = *team_;
  team.work = &work;
  team.failure = nullptr;
  if (count_ > 1) {
    team.running.store(count_ - 1, std::memory_order_relaxed);
    {
      const std::lock_guard lock(team.mutex);
      team.round.fetch_add(1, std::memory_order_acq_rel);
    }
    team.wake.notify_all();
  }
  team.guarded(0);
  for (int i = 0; team.running.load(std::memory_order_acquire) > 0; ++i) {
    if (i > kSpins / 2 || !team.spin) std::this_thread::yield();
  }
  if (team.failure) std::rethrow_exception(team.failure);
}

void Threads::for_chunks(std::size_t size, std::size_t grain,
                         FunctionRef<void(std::size_t, std::size_t, int)> work) {
  grain = std::max<std::size_t>(grain, 1);
  if (count_ == 1 || size <= grain) {
    for (std::size_t begin = 0; begin < size; begin += grain) {
      work(begin, std::min(size, begin + grain), 0);
    }
    return;
  }
  const std::size_t chunks = (size + grain - 1) / grain;
  EVENKEEL_CHECK(chunks < (std::size_t{1} << 32));
  const auto team = static_cast<std::size_t>(count_);
  for (std::size_t worker = 0; worker < team; ++worker) {
    team_->shares[worker].fill(static_cast<std::uint32_t>(chunks * worker / team),
                               static_cast<std::uint32_t>(chunks * (worker + 1) / team));
  }
  run([&](int worker) {
    for (std::size_t k = 0; k < team; ++k) {
      Share& share = team_->shares[(static_cast<std::size_t>(worker) + k) % team];
      for (;;) {
        const std::int64_t chunk = share.take(k == 0);
        if (chunk < 0) break;
        const std::size_t begin = static_cast<std::size_t>(chunk) * grain;
        work(begin, std::min(size, begin + grain), worker);
      }
    }
  });
}

}  // namespace evenkeel
