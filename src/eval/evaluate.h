// All-ranking evaluation of one part. In: ranking vectors, the data set, the part under test and
// what is known beside it; out: metrics overall and by group, and what the lists do to the
// catalogue.
#pragma once

#include <array>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "data/dataset.h"
#include "eval/divided_users.h"
#include "eval/goals.h"
#include "eval/metrics.h"
#include "eval/popularity.h"
#include "eval/ranker.h"
#include "eval/user_sample.h"

namespace evenkeel::eval {

inline constexpr std::array<std::string_view, 3> kGroupNames{"head", "mid", "tail"};

struct UserResult {  // one user's figures, for tests of significance
  Row user = 0;
  double recall = 0, ndcg = 0;
  double balanced = 0;  // the share of this user; their mean is Evaluation::balanced
};

struct Evaluation {
  MetricSet overall;
  std::array<MetricSet, 3> item_groups;  // only the group's test items are relevant
  std::array<MetricSet, 3> user_groups;  // only the group's users count
  bool has_groups = false;
  double balanced = 0;               // Recall under the goal `balanced`
  double coverage = 0;               // items in at least one list / items
  double gini = 0;                   // of the items' exposures: 0 even, 1 one item takes all
  double mean_popularity = 0;        // training count of a recommended item (ARP)
  double tail_share = 0;             // recommended items that are tail items (APLT)
  double aclt = 0;                   // tail items in a list
  double pop_reo = 0;                // unevenness of the groups' rates of relevant items listed
  double pop_rsp = 0;                // unevenness of the groups' rates of candidates listed
  double novelty = 0;                // bits of surprise of a recommended item
  double miscalibration = 0;         // Jensen-Shannon distance of a list to its user's history
  std::size_t all_users = 0;         // of the part; more than were ranked where they are sampled
  std::size_t candidates = 0;        // items that could be listed, where not all can; else 0
  std::vector<UserResult> per_user;  // ascending by user row; only when asked for
};

// Where an evaluation stands; told before the first user and about twice a second.
struct EvaluationProgress {
  std::string_view part;
  std::size_t done = 0, users = 0;  // ranked, and to be ranked
  std::size_t all_users = 0;        // of the part
  double seconds = 0;               // so far
};

struct EvaluateOptions {
  std::size_t k = 20;
  bool groups = true;
  bool per_user = false;
  UserLimit users = {};
  std::function<void(const EvaluationProgress&)> progress = {};
};

// Which users the figures are of, where they are a sample: one sentence.
std::string sample_sentence(const EvaluationProgress& progress);

// A second stage of ranking: it makes a user's list of its best candidates. It is called on several
// workers at once; the list it returns must live until the worker's next call.
struct ListRule {
  std::size_t candidates = 100;  // how many are handed over, k at least
  FunctionRef<std::span<const kernels::Ranked>(
      Row user, std::span<const kernels::Ranked> candidates, int worker)>
      choose;
};

// What must not be recommended when `part` is under test: train for validation; train, validation
// and the other tests for a test. (An item of the part itself is never removed.)
std::vector<const data::Csr*> known_beside(const data::Dataset& dataset, const data::Part& part);

// Evaluates one part again and again (every epoch): masks and buffers are made once, when first
// needed. The data set, the part and what `known` points to must outlive it.
class Evaluator {
 public:
  Evaluator(const data::Dataset& dataset,
            const data::Part& part);  // masks: known_beside(dataset, part)
  Evaluator(const data::Dataset& dataset, const data::Part& part,
            std::span<const data::Csr* const> known);

  struct Quick {
    double recall = 0, ndcg = 0;
    double balanced = 0;  // Recall under the goal `balanced`
    std::size_t users = 0;
    GoalFigures goals() const { return {recall, balanced}; }
  };
  Quick quick(const VectorView& vectors, std::size_t k, Threads& threads);  // for every epoch

  // One user's share of the figures of both goals, for their standard errors.
  struct UserGoals {
    double recall = 0;
    double weighted_hits = 0, weight = 0;  // over the user's pairs
  };
  std::vector<UserGoals> user_goals(const VectorView& vectors, std::size_t k, Threads& threads);
  // Without a rule the list is the k best.
  Evaluation evaluate(const VectorView& vectors, const EvaluateOptions& options, Threads& threads,
                      const ListRule* rule = nullptr);

  std::span<const Row> users() const { return users_; }  // those with items in the part
  // Ranks share the users from now on; each learns the figures of all. `held` cuts the rows of all
  // users where a rank has no others: then it ranks those, but for the end of its last block.
  void divide_among(cluster::Cluster& ranks, std::span<const std::size_t> held = {}) {
    cluster_ = &ranks;
    held_.assign(held.begin(), held.end());
  }
  // Users that one rank ranks and another holds, ascending: fewer than a block for each rank.
  struct Lent {
    Row user;
    std::size_t to;  // a rank
  };
  std::vector<Lent> lent_users() const;
  // Writes their rows beside those that are held, where ranks hold the users of a view.
  void borrow_users(Matrix& users) const;
  // Only these positions of users() are ranked from now on, ascending: a sample.
  void keep_users(std::span<const std::size_t> positions);
  std::size_t all_users() const { return all_users_; }  // that could be ranked
  // Gives back the packed items, which every evaluation packs anew: a table of items.
  void release_items() { ranker_.release(); }

 private:
  struct Worker;
  struct Block;
  void check(const VectorView& vectors, std::size_t k) const;
  void make_ready(const VectorView& vectors, std::size_t k, Threads& threads);
  // visit(index, hits, the sum of their weights)
  void rank_hits(const VectorView& vectors, std::size_t k, Threads& threads,
                 FunctionRef<void(std::size_t, const Hits&, double)> visit);
  struct Positions {  // [first, end) of users()
    std::size_t first, end;
  };
  Positions own_users() const;                      // those of this rank
  std::vector<std::size_t> users_of_ranks() const;  // their positions
  std::vector<std::size_t> blocks_of_ranks() const;
  // Visit as in Ranker, with positions among all users.
  void rank_users(Positions which, std::size_t k, Threads& threads, Ranker::Visit visit);
  // Those of this rank, with news of how far it is.
  void rank_in_slices(std::size_t k, const EvaluateOptions& options, Threads& threads,
                      Ranker::Visit visit);
  double weight_of(std::span<const Row> items) const;
  double total_weight() const;  // of all pairs under test
  void count_user(Row user, std::span<const std::uint32_t> hits, Worker& worker,
                  Block& block) const;
  void finish(std::span<const Block> blocks, std::span<const Worker> workers,
              Evaluation& result) const;
  void finish_exposure(std::span<const Worker> workers, Evaluation& result) const;
  static void sum_over(cluster::Cluster& ranks, std::vector<Worker>& workers);
  cluster::Cluster* cluster_ = &cluster::alone();
  std::vector<std::size_t> held_;  // cuts of user rows by rank; empty: every rank has all
  const data::Dataset& dataset_;
  const data::Part& part_;
  std::vector<const data::Csr*> known_;
  std::vector<Row> users_;
  std::size_t all_users_ = 0;
  data::Csr masked_;  // by user row; of those that are ranked
  std::vector<std::uint8_t> item_group_, user_group_;
  std::vector<double> weights_;  // of the goal `balanced`, by item
  std::vector<Row> candidates_;  // items that may be listed, ascending
  GroupCounts catalogue_{};      // the same, counted by group
  Ranker ranker_;
  std::vector<Quick> quick_blocks_;
  std::vector<std::vector<Row>> lists_;            // one per worker
  std::vector<std::vector<std::uint32_t>> ranks_;  // one per worker
};

// Of an evaluator whose users are chosen; every rank learns the figures.
Evaluation evaluate_among(Evaluator& evaluator, const VectorView& vectors,
                          const EvaluateOptions& options, Threads& threads, const ListRule* rule,
                          const DividedUsers& divided);

Evaluation evaluate_part(const VectorView& vectors, const data::Dataset& dataset,
                         const data::Part& part, std::span<const data::Csr* const> known,
                         const EvaluateOptions& options, Threads& threads,
                         const ListRule* rule = nullptr, const DividedUsers& divided = {});
Evaluation evaluate_part(const VectorView& vectors, const data::Dataset& dataset,
                         const data::Part& part, const EvaluateOptions& options, Threads& threads,
                         const ListRule* rule = nullptr);

// Gini coefficient of counts: 0 when all are equal (or all zero), (n - 1) / n when one has all.
double gini_of(std::span<const std::uint64_t> counts);

// {"recall@20": ..., "users": n, "coverage@20": ..., ...}: the entry of result.json's
// "evaluations".
nlohmann::json to_json(const Evaluation& evaluation, std::size_t k);
// {"items": {"head": {...}, ...}, "users": {...}}: the entry of result.json's "groups".
nlohmann::json groups_to_json(const Evaluation& evaluation, std::size_t k);

// Figures of an evaluation that are no metric of one list, for `evenkeel list`.
struct ExposureEntry {
  std::string_view name;
  std::string_view description;
  double Evaluation::*field;
};
std::span<const ExposureEntry> exposure_table();

}  // namespace evenkeel::eval
