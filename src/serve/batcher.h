// Requests that wait together are ranked together. In: queries from many threads; out: their lists.
// There is no thread of its own: who asks while a place is free ranks for all who wait.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <span>
#include <vector>

#include "rank/approximate_index.h"
#include "rank/exact_index.h"

namespace evenkeel::serve {

// What one pass over the items serves well; more queries would only wait for each other.
inline constexpr std::size_t kQueriesAtOnce = 48;

// What ranks: exactly, or nearly where there is an approximate index.
struct Ranking {
  const rank::ExactIndex* exact = nullptr;
  const rank::ApproximateIndex* near = nullptr;  // may be null
  friend bool operator==(const Ranking&, const Ranking&) = default;
};

class Batcher {
 public:
  explicit Batcher(int places) : places_(places) {}  // passes over the items at the same time

  // Blocks until the lists are made; the indices must live until then.
  std::vector<rank::List> rank(const Ranking& ranking, std::span<const rank::ListQuery> queries);

  struct Counts {
    std::uint64_t passes = 0, queries = 0;
  };
  Counts counts() const;

 private:
  struct Job {
    Ranking ranking;
    std::span<const rank::ListQuery> queries;
    std::vector<rank::List> lists;
    std::exception_ptr failure;
    bool done = false;
    bool leads = false;  // holds a place, and makes lists until its own are there
    std::condition_variable turn;
  };
  std::vector<Job*> next_batch();                            // the mutex is held
  static void run(const std::vector<Job*>& batch) noexcept;  // it is not

  mutable std::mutex mutex_;
  std::deque<Job*> waiting_;
  int places_, taken_ = 0;
  Counts counts_;
};

}  // namespace evenkeel::serve
