// In: vectors and a part under test. Out: its evaluation; sums run block by block in a fixed order.
#include "eval/evaluate.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "base/error.h"
#include "base/seconds.h"
#include "cluster/shares.h"
#include "data/groups.h"
#include "eval/evaluation_sums.h"

namespace evenkeel::eval {
namespace {

constexpr std::uint64_t kSampleSeed = 1;  // of no run: all of them rank the same users

// known rows of one user, merged, without the items under test.
void merge_row(std::span<const data::Csr* const> known, std::span<const Row> tested,
               std::size_t user, std::vector<Row>& merged) {
  merged.clear();
  for (const data::Csr* csr : known) {
    if (user >= csr->rows()) continue;
    const auto row = csr->row(user);
    merged.insert(merged.end(), row.begin(), row.end());
  }
  std::sort(merged.begin(), merged.end());
  merged.erase(std::unique(merged.begin(), merged.end()), merged.end());
  std::erase_if(merged,
                [&](Row item) { return std::binary_search(tested.begin(), tested.end(), item); });
}

std::vector<Row> candidates_of(const data::Dataset& dataset, const data::Part& part) {
  if (part.own_candidates) return data::items_in(part);
  std::vector<Row> all(dataset.item_count());
  std::iota(all.begin(), all.end(), Row{0});
  return all;
}

// Only users that are ranked (ascending) get a mask, and only of items that could be listed.
data::Csr make_masks(std::span<const data::Csr* const> known, const data::Csr& tested,
                     std::span<const Row> users, std::span<const Row> candidates,
                     std::size_t items) {
  const bool all = candidates.size() == items;
  data::Csr masks;
  masks.offsets.reserve(tested.rows() + 1);
  std::vector<Row> merged;
  auto next = users.begin();
  for (std::size_t user = 0; user < tested.rows(); ++user) {
    if (next != users.end() && *next == user) {
      merge_row(known, tested.row(user), user, merged);
      if (!all) {
        std::erase_if(merged, [&](Row item) {
          return !std::binary_search(candidates.begin(), candidates.end(), item);
        });
      }
      masks.columns.insert(masks.columns.end(), merged.begin(), merged.end());
      ++next;
    }
    masks.offsets.push_back(masks.columns.size());
  }
  return masks;
}

}  // namespace

std::string sample_sentence(const EvaluationProgress& progress) {
  return fmt::format(
      "figures of {} are of {} of its {} users (standard error at most {:.4f}); --evaluation-users "
      "all ranks everybody",
      progress.part, progress.users, progress.all_users, largest_standard_error(progress.users));
}

std::vector<const data::Csr*> known_beside(const data::Dataset& dataset, const data::Part& part) {
  std::vector<const data::Csr*> known{&dataset.items_of};
  if (&part == &dataset.valid) return known;
  known.push_back(&dataset.valid.items_of);
  for (const data::Part& test : dataset.tests) {
    if (&test != &part) known.push_back(&test.items_of);
  }
  return known;
}

Evaluator::Evaluator(const data::Dataset& dataset, const data::Part& part)
    : Evaluator(dataset, part, known_beside(dataset, part)) {}

Evaluator::Evaluator(const data::Dataset& dataset, const data::Part& part,
                     std::span<const data::Csr* const> known)
    : dataset_(dataset),
      part_(part),
      known_(known.begin(), known.end()),
      item_group_(data::popularity_thirds(dataset.item_popularity)),
      user_group_(data::popularity_thirds(dataset.user_popularity)),
      weights_(balanced_weights(dataset, part)),
      candidates_(candidates_of(dataset, part)) {
  for (std::size_t user = 0; user < part.items_of.rows(); ++user) {
    if (part.items_of.count(user) > 0) users_.push_back(static_cast<Row>(user));
  }
  all_users_ = users_.size();
  catalogue_ = count_groups(candidates_, item_group_);
  if (candidates_.size() < dataset.item_count()) ranker_.restrict_to(candidates_);
}

void Evaluator::check(const VectorView& vectors, std::size_t k) const {
  if (k == 0) fail_config("k is 0; ask for at least 1 item per user");
  if (vectors.users.rows() != dataset_.user_count() ||
      vectors.items.rows() != dataset_.item_count()) {
    fail_data("{}: {} users and {} items where the model has {} and {}; use the model's own data",
              dataset_.name, dataset_.user_count(), dataset_.item_count(), vectors.users.rows(),
              vectors.items.rows());
  }
}

void Evaluator::make_ready(const VectorView& vectors, std::size_t k, Threads& threads) {
  check(vectors, k);
  if (masked_.rows() != part_.items_of.rows()) {
    const Positions own = own_users();
    masked_ = make_masks(known_, part_.items_of,
                         std::span(users_).subspan(own.first, own.end - own.first), candidates_,
                         dataset_.item_count());
  }
  ranker_.prepare(vectors, threads);
}

void Evaluator::keep_users(std::span<const std::size_t> positions) {
  std::vector<Row> kept;
  kept.reserve(positions.size());
  for (const std::size_t position : positions) kept.push_back(users_[position]);
  users_ = std::move(kept);
}

double Evaluator::weight_of(std::span<const Row> items) const {
  double sum = 0;
  for (const Row item : items) sum += weights_[item];
  return sum;
}

double Evaluator::total_weight() const {
  double sum = 0;
  for (const Row user : users_) sum += weight_of(part_.items_of.row(user));
  return sum;
}

void Evaluator::rank_hits(const VectorView& vectors, std::size_t k, Threads& threads,
                          FunctionRef<void(std::size_t, const Hits&, double)> visit) {
  make_ready(vectors, k, threads);
  const auto workers = static_cast<std::size_t>(threads.count());
  if (lists_.size() < workers) lists_.resize(workers);
  if (ranks_.size() < workers) ranks_.resize(workers);
  const auto find = [&](std::size_t index, std::span<const kernels::Ranked> list, int number) {
    std::vector<Row>& items = lists_[static_cast<std::size_t>(number)];
    std::vector<std::uint32_t>& ranks = ranks_[static_cast<std::size_t>(number)];
    items.clear();
    for (const kernels::Ranked& entry : list) items.push_back(entry.item);
    const auto relevant = part_.items_of.row(users_[index]);
    find_hits(items, relevant, k, ranks);
    double weight = 0;
    for (const std::uint32_t rank : ranks) weight += weights_[items[rank]];
    visit(index, {ranks, relevant.size(), k}, weight);
  };
  rank_users(own_users(), k, threads, find);
}

std::vector<std::size_t> Evaluator::blocks_of_ranks() const {
  const std::size_t all = (users_.size() + Ranker::kBlock - 1) / Ranker::kBlock;
  if (held_.empty()) return cluster::even_cuts(all, 1, cluster_->size());
  std::vector<std::size_t> cuts;  // a block is ranked by whoever holds its first user
  for (const std::size_t row : held_) {
    const auto before = std::lower_bound(users_.begin(), users_.end(), row) - users_.begin();
    cuts.push_back((static_cast<std::size_t>(before) + Ranker::kBlock - 1) / Ranker::kBlock);
  }
  return cuts;
}

std::vector<std::size_t> Evaluator::users_of_ranks() const {
  std::vector<std::size_t> cuts = blocks_of_ranks();
  for (std::size_t& cut : cuts) cut = std::min(users_.size(), cut * Ranker::kBlock);
  return cuts;
}

Evaluator::Positions Evaluator::own_users() const {
  const auto cuts = users_of_ranks();
  const auto rank = static_cast<std::size_t>(cluster_->rank());
  return {cuts[rank], cuts[rank + 1]};
}

std::vector<Evaluator::Lent> Evaluator::lent_users() const {
  std::vector<Lent> lent;
  const auto cuts = users_of_ranks();
  for (std::size_t r = 0; r + 1 < held_.size(); ++r) {
    for (std::size_t k = cuts[r]; k < cuts[r + 1]; ++k) {
      if (users_[k] >= held_[r + 1]) lent.push_back({users_[k], r});
    }
  }
  return lent;
}

void Evaluator::rank_users(Positions which, std::size_t k, Threads& threads, Ranker::Visit visit) {
  const std::size_t first = which.first;  // clang 14 captures no binding
  ranker_.rank(std::span<const Row>(users_).subspan(first, which.end - first), &masked_, k, threads,
               [&](std::size_t index, std::span<const kernels::Ranked> list, int worker) {
                 visit(first + index, list, worker);
               });
}

Evaluator::Quick Evaluator::quick(const VectorView& vectors, std::size_t k, Threads& threads) {
  quick_blocks_.assign((users_.size() + Ranker::kBlock - 1) / Ranker::kBlock, Quick{});
  rank_hits(vectors, k, threads, [&](std::size_t index, const Hits& hits, double weight) {
    Quick& sum = quick_blocks_[index / Ranker::kBlock];
    sum.recall += recall_of(hits);
    sum.ndcg += ndcg_of(hits);
    sum.balanced += weight;
  });
  cluster::Shares(*cluster_).share(
      {cluster::share_of(std::span(quick_blocks_), blocks_of_ranks())});
  Quick result;
  result.users = users_.size();
  for (const Quick& block : quick_blocks_) {
    result.recall += block.recall;
    result.ndcg += block.ndcg;
    result.balanced += block.balanced;
  }
  const double users = static_cast<double>(std::max<std::size_t>(users_.size(), 1));
  result.recall /= users;
  result.ndcg /= users;
  const double weight = total_weight();
  result.balanced = weight > 0 ? result.balanced / weight : 0.0;
  return result;
}

std::vector<Evaluator::UserGoals> Evaluator::user_goals(const VectorView& vectors, std::size_t k,
                                                        Threads& threads) {
  std::vector<UserGoals> goals(users_.size());
  rank_hits(vectors, k, threads, [&](std::size_t index, const Hits& hits, double weight) {
    goals[index] = {recall_of(hits), weight, weight_of(part_.items_of.row(users_[index]))};
  });
  cluster::Shares(*cluster_).share({cluster::share_of(std::span(goals), users_of_ranks())});
  return goals;
}

Evaluation Evaluator::evaluate(const VectorView& vectors, const EvaluateOptions& options,
                               Threads& threads, const ListRule* rule) {
  make_ready(vectors, options.k, threads);
  std::vector<Block> blocks((users_.size() + Ranker::kBlock - 1) / Ranker::kBlock);
  std::vector<Worker> workers(static_cast<std::size_t>(threads.count()));
  for (Worker& worker : workers) worker.exposure.resize(dataset_.item_count());
  Evaluation result;
  result.has_groups = options.groups;
  result.all_users = all_users_;
  if (candidates_.size() < dataset_.item_count()) result.candidates = candidates_.size();
  if (options.per_user) result.per_user.resize(users_.size());
  const double weight = options.per_user ? total_weight() : 0;
  const double per_weight = weight > 0 ? static_cast<double>(users_.size()) / weight : 0;

  const auto visit = [&](std::size_t index, std::span<const kernels::Ranked> list, int number) {
    Worker& worker = workers[static_cast<std::size_t>(number)];
    Block& block = blocks[index / Ranker::kBlock];
    const Row user = users_[index];
    if (rule != nullptr) list = rule->choose(user, list, number);
    EVENKEEL_CHECK(list.size() <= options.k);
    worker.list.clear();
    for (const kernels::Ranked& entry : list) {
      worker.list.push_back(entry.item);
      ++worker.exposure[entry.item];
    }
    const auto relevant = part_.items_of.row(user);
    find_hits(worker.list, relevant, options.k, worker.ranks);
    count_user(user, worker.ranks, worker, block);
    const MetricSet one = metrics_of_hits({worker.ranks, relevant.size(), options.k});
    add(block.overall, one);
    double weighted_hits = 0;
    for (const std::uint32_t rank : worker.ranks) {
      block.weighted_hits += weights_[worker.list[rank]];
      weighted_hits += weights_[worker.list[rank]];
    }
    if (options.per_user) {
      result.per_user[index] = {user, one.recall, one.ndcg, per_weight * weighted_hits};
    }
    if (!options.groups) return;
    add(block.user_groups[user_group_[user]], one);
    for (std::size_t group = 0; group < kGroupNames.size(); ++group) {
      worker.relevant.clear();
      for (const Row item : relevant) {
        if (item_group_[item] == group) worker.relevant.push_back(item);
      }
      if (worker.relevant.empty()) continue;
      find_hits(worker.list, worker.relevant, options.k, worker.ranks);
      add(block.item_groups[group],
          metrics_of_hits({worker.ranks, worker.relevant.size(), options.k}));
    }
  };
  const std::size_t ranked = rule == nullptr ? options.k : std::max(rule->candidates, options.k);
  rank_in_slices(ranked, options, threads, visit);
  cluster::Shares shares(*cluster_);
  shares.share({cluster::share_of(std::span(blocks), blocks_of_ranks())});
  if (options.per_user) {
    shares.share({cluster::share_of(std::span(result.per_user), users_of_ranks())});
  }
  sum_over(*cluster_, workers);
  finish(blocks, workers, result);
  return result;
}

// Slices of whole blocks, so that sums are the same as in one go.
void Evaluator::rank_in_slices(std::size_t k, const EvaluateOptions& options, Threads& threads,
                               Ranker::Visit visit) {
  using Clock = std::chrono::steady_clock;
  constexpr double kScoresOfSlice = 1e9;  // below a second
  const auto start = Clock::now();
  const Positions own = own_users();
  const std::size_t begin = own.first, end = own.end;  // clang 14 captures no binding
  const auto tell = [&](std::size_t at) {              // as if the other ranks had come as far
    if (!options.progress) return;
    const std::size_t done =
        at == end ? users_.size() : users_.size() * (at - begin) / (end - begin);
    const double seconds = seconds_since(start);
    options.progress({part_.name, done, users_.size(), all_users_, seconds});
  };
  const auto blocks = static_cast<std::size_t>(
      kScoresOfSlice / static_cast<double>(dataset_.item_count() * Ranker::kBlock));
  const std::size_t slice =
      std::max<std::size_t>(blocks, static_cast<std::size_t>(threads.count()) * 4) * Ranker::kBlock;
  if (begin < end) tell(begin);
  for (std::size_t first = begin; first < end; first += slice) {
    const std::size_t last = std::min(first + slice, end);
    rank_users({first, last}, k, threads, visit);
    tell(last);
  }
}

Evaluation evaluate_part(const VectorView& vectors, const data::Dataset& dataset,
                         const data::Part& part, std::span<const data::Csr* const> known,
                         const EvaluateOptions& options, Threads& threads, const ListRule* rule,
                         const DividedUsers& divided) {
  Evaluator evaluator(dataset, part, known);
  const std::size_t users = evaluator.users().size();
  const std::size_t wanted = evaluation_users(options.users, users, dataset.item_count());
  if (wanted < users) {
    evaluator.keep_users(
        stratified_sample(evaluator.users(), dataset.user_popularity, wanted, kSampleSeed));
  }
  return evaluate_among(evaluator, vectors, options, threads, rule, divided);
}

Evaluation evaluate_part(const VectorView& vectors, const data::Dataset& dataset,
                         const data::Part& part, const EvaluateOptions& options, Threads& threads,
                         const ListRule* rule) {
  return evaluate_part(vectors, dataset, part, known_beside(dataset, part), options, threads, rule);
}

}  // namespace evenkeel::eval
