// What an evaluation adds up while it ranks: by block of users, and by worker. Inside eval only.
#pragma once

#include <array>
#include <vector>

#include "eval/evaluate.h"

namespace evenkeel::eval {

// One block's sums. Blocks are added up in order, so the thread count cannot change a digit.
struct Evaluator::Block {
  MetricSet overall;
  std::array<MetricSet, 3> item_groups, user_groups;
  double weighted_hits = 0;
  double distance = 0;    // of lists from their users' histories
  double calibrated = 0;  // users with both
};

struct Evaluator::Worker {
  std::vector<Row> list;
  std::vector<Row> relevant;
  std::vector<std::uint32_t> ranks;
  std::vector<std::uint64_t> exposure;  // by item: whole numbers, so their order does not matter
  GroupTally tally;
};

}  // namespace evenkeel::eval
