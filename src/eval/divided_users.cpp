// In: users' vectors of which each rank holds some. Out: an evaluation as of the whole table.
#include <algorithm>

#include "cluster/held_rows.h"
#include "eval/evaluate.h"

namespace evenkeel::eval {

// Figures are summed in blocks of users, and the last block of a rank may reach into the next
// one's.
void Evaluator::borrow_users(Matrix& users) const {
  if (users.holds_all()) return;
  std::vector<Row> rows;
  const std::vector<Lent> lent = lent_users();
  rows.reserve(lent.size());
  for (const auto& [user, to] : lent) rows.push_back(user);
  const Matrix fetched = cluster::fetched_rows(*cluster_, users, held_, rows);
  for (std::size_t k = 0; k < lent.size(); ++k) {
    if (lent[k].to != static_cast<std::size_t>(cluster_->rank())) continue;
    std::copy_n(fetched.row(k), fetched.stride(), users.row(lent[k].user));
  }
}

Evaluation evaluate_among(Evaluator& evaluator, const VectorView& vectors,
                          const EvaluateOptions& options, Threads& threads, const ListRule* rule,
                          const DividedUsers& divided) {
  if (!divided.held()) {
    evaluator.divide_among(divided.ranks);
    return evaluator.evaluate(vectors, options, threads, rule);
  }
  evaluator.divide_among(divided.ranks, cluster::row_cuts(divided.ranks, *divided.users));
  evaluator.borrow_users(*divided.users);
  Evaluation evaluation = evaluator.evaluate(vectors, options, threads, rule);
  divided.users->release_others();
  return evaluation;
}

}  // namespace evenkeel::eval
