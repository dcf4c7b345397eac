// Approximate top-k for very many items. In: an exact index and its model; out: nearly the same
// lists in a fraction of the time, and the share of the true lists that they hold. Candidates come
// from a graph (HNSW); the exact index scores them, so what is listed has its true score.
#pragma once

#include <memory>
#include <string>

#include "rank/model_lists.h"

namespace evenkeel::rank {

class ApproximateIndex {
 public:
  struct Options {
    double recall = 0.98;  // wanted of the lists of `k`
    std::size_t k = 20;
    std::size_t links = 16, breadth = 200;  // of the graph, when it is built
    int threads = 0;
  };
  static bool available();  // built with hnswlib

  // Reads the graph from `file` where it fits the model, else builds it and writes it there (empty,
  // or not writable: nowhere). `lists` must outlive it. How many candidates are looked at is chosen
  // on some of the users, so that the recall is reached.
  ApproximateIndex(const ModelLists& lists, const std::string& file, const Options& options);
  ~ApproximateIndex();
  ApproximateIndex(const ApproximateIndex&) = delete;
  ApproximateIndex& operator=(const ApproximateIndex&) = delete;

  // A query that is limited to some items, leaves out many or asks for very many is ranked exactly.
  List rank(const ListQuery& query) const;

  double recall() const { return recall_; }  // measured against the exact lists
  std::size_t candidates() const { return candidates_; }
  bool built() const { return built_; }  // not read from the file
  bool kept() const { return kept_; }    // the file holds it

 private:
  class Graph;
  double measured(std::size_t candidates) const;
  List rank_among(const ListQuery& query, std::size_t candidates) const;

  const ModelLists& lists_;
  Options options_;
  std::unique_ptr<Graph> graph_;
  std::size_t candidates_ = 0;
  double recall_ = 0;
  bool built_ = false, kept_ = false;
};

}  // namespace evenkeel::rank
