// Ranks of an evaluation. In: ranks, and the users' vectors that each of them holds; out: who ranks
// whom is up to the evaluator, which borrows the rows that a rank lacks.
#pragma once

#include "base/matrix.h"
#include "cluster/cluster.h"

namespace evenkeel::eval {

// Ranks that rank the users of a view between them.
struct DividedUsers {
  DividedUsers(cluster::Cluster& among = cluster::alone(), Matrix* view_users = nullptr)
      : ranks(among), users(view_users) {}
  bool held() const { return users != nullptr && !users->holds_all(); }

  cluster::Cluster& ranks;
  Matrix* users;  // the view's own, where each rank may hold some of their rows and no others
};

}  // namespace evenkeel::eval
