// In: jobs in line. Out: batches of them, each one pass over the items.
#include "serve/batcher.h"

#include <algorithm>
#include <iterator>

namespace evenkeel::serve {
namespace {

std::vector<rank::List> lists_of(const Ranking& ranking, std::span<const rank::ListQuery> queries) {
  if (ranking.near == nullptr) return ranking.exact->rank(queries);
  std::vector<rank::List> lists;
  for (const rank::ListQuery& query : queries) lists.push_back(ranking.near->rank(query));
  return lists;
}

}  // namespace

std::vector<Batcher::Job*> Batcher::next_batch() {
  std::vector<Job*> batch;
  std::size_t queries = 0;
  while (!waiting_.empty()) {
    Job* job = waiting_.front();
    const bool fits = queries + job->queries.size() <= kQueriesAtOnce;
    if (!batch.empty() && (!fits || job->ranking != batch.front()->ranking)) break;
    batch.push_back(job);
    queries += job->queries.size();
    waiting_.pop_front();
  }
  ++counts_.passes;
  counts_.queries += queries;
  return batch;
}

void Batcher::run(const std::vector<Job*>& batch) noexcept {
  try {
    std::vector<rank::ListQuery> queries;
    for (const Job* job : batch) {
      queries.insert(queries.end(), job->queries.begin(), job->queries.end());
    }
    std::vector<rank::List> lists = lists_of(batch.front()->ranking, queries);
    auto next = lists.begin();
    for (Job* job : batch) {
      const auto end = next + static_cast<std::ptrdiff_t>(job->queries.size());
      job->lists.assign(std::move_iterator(next), std::move_iterator(end));
      next = end;
    }
  } catch (...) {
    for (Job* job : batch) job->failure = std::current_exception();
  }
}

std::vector<rank::List> Batcher::rank(const Ranking& ranking,
                                      std::span<const rank::ListQuery> queries) {
  Job job;
  job.ranking = ranking;
  job.queries = queries;
  std::unique_lock lock(mutex_);
  waiting_.push_back(&job);
  if (taken_ < places_) {
    ++taken_;
    job.leads = true;
  }
  while (!job.done) {
    if (job.leads && waiting_.empty()) {  // another place has this job already
      job.leads = false;
      --taken_;
    }
    if (!job.leads) {
      job.turn.wait(lock, [&] { return job.done || job.leads; });
      continue;
    }
    const std::vector<Job*> batch = next_batch();
    lock.unlock();
    run(batch);
    lock.lock();
    for (Job* one : batch) {
      one->done = true;
      if (one != &job) one->turn.notify_one();
    }
  }
  if (job.leads) {  // the place goes to who has waited longest, or becomes free
    const auto heir =
        std::find_if(waiting_.begin(), waiting_.end(), [](const Job* one) { return !one->leads; });
    if (heir != waiting_.end()) {
      (*heir)->leads = true;
      (*heir)->turn.notify_one();
    } else {
      --taken_;
    }
  }
  if (job.failure) std::rethrow_exception(job.failure);
  return std::move(job.lists);
}

Batcher::Counts Batcher::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace evenkeel::serve
