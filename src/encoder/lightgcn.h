// LightGCN. In: layer-0 tables and the training graph; out: the mean of layers 0..L, where each
// layer is the degree-normalised sum of the neighbours' rows of the layer before; and back. With
// half_width, sums over neighbours read bf16 rows: nearly half the bytes, a little coarser.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "base/matrix.h"
#include "data/dataset.h"
#include "encoder/encoder.h"
#include "encoder/layer.h"

namespace evenkeel::encoder {

class LightGcn final : public Encoder {
 public:
  // Extra rows stand behind the graph's: they have no edges and pass through unchanged. A twin of
  // an item is that item with another row of layer 0: nobody hears it, but it hears the item's
  // neighbours.
  LightGcn(const data::Dataset& data, std::size_t layers, std::size_t dim, std::uint64_t seed,
           ExtraRows extra, bool half_width = false, cluster::Cluster& ranks = cluster::alone());
  ~LightGcn() override;

  Matrix& table(Side side) override { return sides_[index(side)].layers[0].table(); }
  const Matrix& vectors(Side side) const override { return sides_[index(side)].vectors; }
  std::span<const std::size_t> owned_rows(Side side) const override {
    return shares_.ranks().alone() ? std::span<const std::size_t>()
                                   : sides_[index(side)].rows_of_rank;
  }
  void forward(std::span<const Row> users, std::span<const Row> items, Threads&) override;
  void forward_all(Threads&) override;
  void set_vector(Side side, Row row, std::span<const float> vector) override {
    std::copy(vector.begin(), vector.end(), sides_[index(side)].vectors.row(row));
  }
  RowConsumer& gradients(Side side, RowConsumer& update) override;
  void backward(RowConsumer& update_users, RowConsumer& update_items, Threads&) override;

 private:
  class Collector;
  struct Part {                             // one side of the bipartite graph
    const data::Csr* neighbours = nullptr;  // rows of the other side
    std::size_t rows = 0;                   // in the graph
    std::size_t twins = 0;                  // extra rows with the neighbours of rows 0, 1, ...
    Matrix vectors;
    std::vector<Layer> layers;              // 0..L-1; the way back uses 1 and 2 again
    std::vector<float> scale;               // 1 / sqrt(degree), 0 for a row without edges
    std::vector<std::size_t> cuts;          // row ranges with about equally many edges
    std::vector<std::size_t> own_cuts;      // places in `cuts` by rank,
    std::vector<std::size_t> rows_of_rank;  // and the rows there
    Matrix gradient;                        // of the final vectors, divided by L + 1
    std::vector<std::uint8_t> active;       // rows of `gradient` that are not zero
    std::vector<float> decay;
    std::unique_ptr<Collector> collector;
  };
  static std::size_t index(Side side) { return side == Side::kUser ? 0 : 1; }
  static Side other(Side side) { return side == Side::kUser ? Side::kItem : Side::kUser; }

  const Layer& layer(Side side, std::size_t l) const { return sides_[index(side)].layers[l]; }
  void compute_layers(Threads& threads);
  void neighbour_sum(Side side, std::size_t row, const Layer& source, float* out) const;
  void active_sum(Side side, std::size_t row, std::vector<Row>& ids, float* out) const;
  void final_row(Side side, std::size_t row, float* scratch);
  void join_twins();
  void pull_gradient(Side side, std::size_t row, std::size_t pass, std::vector<Row>& ids,
                     float* out) const;
  // Rows of this rank.
  void for_rows(Side side, Threads& threads,
                FunctionRef<void(std::size_t, std::size_t, int)> work) const;
  void final_rows(Side side, std::span<const Row> rows, Threads& threads);
  void prepare_workers(Threads& threads);

  std::size_t layers_;
  bool half_width_;
  Part sides_[2];
  struct Worker {
    Matrix block;
    std::vector<Row> ids;
    std::vector<float> decay;
  };
  std::vector<Worker> workers_;
  cluster::Shares shares_;
  Matrix packed_;                       // final vectors on their way to other ranks
  std::vector<std::size_t> list_cuts_;  // of a list of rows, by rank
};

}  // namespace evenkeel::encoder
