// All-ranking evaluation of one part. In: ranking vectors, the data set, the part under test and
// what is known beside it; out: metrics overall and by group, and what the lists do to the
// catalogue.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "data/dataset.h"
#include "eval/metrics.h"
#include "eval/ranker.h"

namespace evenkeel::eval {

inline constexpr std::array<std::string_view, 3> kGroupNames{"head", "mid", "tail"};

struct UserResult {  // one user's figures, for tests of significance
  Row user = 0;
  double recall = 0, ndcg = 0;
};

struct Evaluation {
  MetricSet overall;
  std::array<MetricSet, 3> item_groups;  // only the group's test items are relevant
  std::array<MetricSet, 3> user_groups;  // only the group's users count
  bool has_groups = false;
  double coverage = 0;               // items in at least one list / items
  double gini = 0;                   // of the items' exposures: 0 even, 1 one item takes all
  double mean_popularity = 0;        // training count of a recommended item
  double tail_share = 0;             // recommended items that are tail items
  std::vector<UserResult> per_user;  // ascending by user row; only when asked for
};

struct EvaluateOptions {
  std::size_t k = 20;
  bool groups = true;
  bool per_user = false;
};

// What must not be recommended when `part` is under test: train for validation; train, validation
// and the other tests for a test. (An item of the part itself is never removed.)
std::vector<const data::Csr*> known_beside(const data::Dataset& dataset, const data::Part& part);

// Evaluates one part again and again (every epoch): masks, panels and buffers are made once.
// The data set and the part must outlive it.
class Evaluator {
 public:
  Evaluator(const data::Dataset& dataset,
            const data::Part& part);  // masks: known_beside(dataset, part)
  Evaluator(const data::Dataset& dataset, const data::Part& part,
            std::span<const data::Csr* const> known);

  struct Quick {
    double recall = 0, ndcg = 0;
    std::size_t users = 0;
  };
  Quick quick(const VectorView& vectors, std::size_t k, Threads& threads);  // for every epoch
  Evaluation evaluate(const VectorView& vectors, const EvaluateOptions& options, Threads& threads);

  std::span<const Row> users() const { return users_; }  // those with items in the part
  const data::Csr& masked() const { return masked_; }

 private:
  struct Worker;
  struct Block;
  void check(const VectorView& vectors, std::size_t k) const;
  void finish(std::span<const Block> blocks, std::span<const Worker> workers,
              Evaluation& result) const;
  const data::Dataset& dataset_;
  const data::Part& part_;
  std::vector<Row> users_;
  data::Csr masked_;  // by user row
  std::vector<std::uint8_t> item_group_, user_group_;
  Ranker ranker_;
  std::vector<Quick> quick_blocks_;
  std::vector<std::vector<Row>> lists_;            // one a worker
  std::vector<std::vector<std::uint32_t>> ranks_;  // one a worker
};

Evaluation evaluate_part(const VectorView& vectors, const data::Dataset& dataset,
                         const data::Part& part, std::span<const data::Csr* const> known,
                         const EvaluateOptions& options, Threads& threads);
Evaluation evaluate_part(const VectorView& vectors, const data::Dataset& dataset,
                         const data::Part& part, const EvaluateOptions& options, Threads& threads);

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
