// Exact top-k, prepared once. In: item vectors and popularity, then queries from any thread; out:
// the lists that rank::recommend makes, to the bit, without packing the items again.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "base/matrix.h"
#include "base/threads.h"
#include "kernels/coarse.h"
#include "kernels/topk.h"
#include "model/model.h"

namespace evenkeel::rank {

using List = std::vector<kernels::Ranked>;

struct ListQuery {
  std::span<const float> vector;  // as the model holds it, neither scaled nor corrected
  std::size_t k = 10;
  double debias = 0;                              // strength of the popularity correction
  std::span<const Row> masked = {};               // never listed; ascending
  std::optional<std::span<const Row>> only = {};  // nothing else is listed; ascending
};

class ExactIndex {
 public:
  // Both tables must outlive it. A temperature of 0 is unknown: queries must not ask for debias.
  ExactIndex(const Matrix& items, model::Score score, std::span<const std::uint32_t> popularity,
             double temperature, Threads& threads);

  // One list per query, best first. Queries of one strength and one `only` share a pass over the
  // items; what a list holds does not depend on the queries beside it.
  std::vector<List> rank(std::span<const ListQuery> queries) const;

  std::size_t items() const { return panels_.items(); }
  std::size_t dim() const { return panels_.dim(); }
  // Where it was unknown; before any query asks for debias.
  void know_temperature(double temperature) { temperature_ = temperature; }
  // What is added to the scores at this strength, by item; whole panels long.
  std::shared_ptr<const AlignedArray<float>> added(double debias) const;
  // The vector as it is compared with the panels: scaled, and divided by T where a strength is
  // asked.
  void compared(const ListQuery& query, std::span<float> out) const;

 private:
  void rank_group(std::span<const ListQuery> queries, std::span<const std::size_t> places,
                  std::span<List> lists) const;
  void rank_alone(const ListQuery& query, List& list) const;
  // Memory of one list, taken from those at rest and given back.
  std::unique_ptr<kernels::CoarseItems::Scratch> take_scratch() const;
  void give_back(std::unique_ptr<kernels::CoarseItems::Scratch> scratch) const;

  kernels::ItemPanels panels_;
  std::unique_ptr<const kernels::CoarseItems> coarse_;  // of a catalogue where it pays
  model::Score score_;
  double temperature_;
  std::vector<double> prior_;
  mutable std::mutex mutex_;
  struct Column {
    double debias = 0;
    std::shared_ptr<const AlignedArray<float>> values;
  };
  mutable std::vector<Column> columns_;  // the latest strengths, latest last
  mutable std::vector<std::unique_ptr<kernels::CoarseItems::Scratch>> resting_;
};

}  // namespace evenkeel::rank
