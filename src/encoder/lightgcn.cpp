// In: tables, edges, gradients of final vectors. Out: final vectors, gradients of the tables.
// With A = D_u^-1/2 R D_i^-1/2 on both sides, the final vectors are 1/(L+1) (x + A x + ... + A^L
// x), so the way back is the same sum of the gradient (A is symmetric over both sides together).
#include "encoder/lightgcn.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "kernels/rows.h"

namespace evenkeel::encoder {
namespace {

constexpr std::size_t kEdgesPerCut = 16384;
constexpr std::size_t kBlock = 32;

std::vector<float> inverse_roots(const data::Csr& neighbours, std::size_t rows) {
  std::vector<float> scale(rows, 0.0F);
  for (std::size_t r = 0; r < neighbours.rows(); ++r) {
    const auto degree = static_cast<double>(neighbours.count(r));
    if (degree > 0) scale[r] = static_cast<float>(1.0 / std::sqrt(degree));
  }
  return scale;
}

std::vector<std::size_t> balanced_cuts(const data::Csr& neighbours, std::size_t rows) {
  std::vector<std::size_t> cuts{0};
  std::size_t edges = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    edges += 8 + (r < neighbours.rows() ? neighbours.count(r) : 0);  // a row costs something too
    if (edges >= kEdgesPerCut) {
      cuts.push_back(r + 1);
      edges = 0;
    }
  }
  if (cuts.back() != rows) cuts.push_back(rows);
  return cuts;
}

}  // namespace

// Keeps gradients of final vectors until backward(); only their rows are ever read or cleared.
class LightGcn::Collector final : public RowConsumer {
 public:
  Collector(Part& part, std::size_t layers)
      : part_(part), share_(1.0F / static_cast<float>(layers + 1)) {}
  void consume(const RowGradients& block) override {
    for (std::size_t k = 0; k < block.rows.size(); ++k) {
      const Row row = block.rows[k];
      const float share = row < part_.rows + part_.twins ? share_ : 1.0F;
      kernels::scale_row(block.gradients + k * block.stride, block.stride, share,
                         part_.gradient.row(row));
      part_.active[row] = 1;
      part_.decay[row] = block.decay[k];
    }
  }

 private:
  Part& part_;
  float share_;
};

LightGcn::LightGcn(const data::Dataset& data, std::size_t layers, std::size_t dim,
                   std::uint64_t seed, ExtraRows extra, bool half_width, cluster::Cluster& ranks)
    : layers_(layers),
      half_width_(half_width),
      shares_(ranks),
      list_cuts_(static_cast<std::size_t>(ranks.size()) + 1) {
  for (const Side side : {Side::kUser, Side::kItem}) {
    const bool user = side == Side::kUser;
    Part& part = sides_[index(side)];
    part.neighbours = user ? &data.items_of : &data.users_of;
    part.rows = user ? data.user_count() : data.item_count();
    const std::size_t rows = part.rows + (user ? extra.users : extra.items);
    if (!user && extra.twins && layers > 0) part.twins = rows - part.rows;
    EVENKEEL_CHECK(part.twins <= part.rows);
    part.vectors = part.gradient = Matrix(rows, dim);
    part.layers.emplace_back(starting_table(part.rows, rows - part.rows, dim, seed, side),
                             half_width);
    for (std::size_t l = 1; l < layers; ++l) part.layers.emplace_back(rows, dim, half_width);
    part.scale = inverse_roots(*part.neighbours, rows);
    part.cuts = balanced_cuts(*part.neighbours, rows);
    part.own_cuts = cluster::even_cuts(part.cuts.size() - 1, 1, ranks.size());
    for (const std::size_t place : part.own_cuts) part.rows_of_rank.push_back(part.cuts[place]);
    part.active.assign(rows, 0);
    part.decay.assign(rows, 0.0F);
    part.collector = std::make_unique<Collector>(part, layers);
  }
}

LightGcn::~LightGcn() = default;

void LightGcn::for_rows(Side side, Threads& threads,
                        FunctionRef<void(std::size_t, std::size_t, int)> work) const {
  const Part& part = sides_[index(side)];
  const auto rank = static_cast<std::size_t>(shares_.ranks().rank());
  const std::size_t* cuts = part.cuts.data() + part.own_cuts[rank];
  threads.for_chunks(
      part.own_cuts[rank + 1] - part.own_cuts[rank], 1,
      [&](std::size_t cut, std::size_t, int worker) { work(cuts[cut], cuts[cut + 1], worker); });
}

// out = scale(row) * sum over neighbours of scale(n) * source(n)
void LightGcn::neighbour_sum(Side side, std::size_t row, const Layer& source, float* out) const {
  const Part& part = sides_[index(side)];
  const data::Csr& neighbours = *part.neighbours;
  const auto ids = row < part.rows ? neighbours.row(row) : std::span<const Row>{};
  // Most passes go row by row: the next row's neighbours are fetched while this one's are summed.
  const std::size_t more = ids.empty() ? 0 : neighbours.size() - neighbours.offsets[row + 1];
  source.sum(ids, more, sides_[index(other(side))].scale.data(), out);
  kernels::scale_row(out, source.stride(), part.scale[row], out);
}

// The same over the gradient of the other side, of which only some rows are not zero.
void LightGcn::active_sum(Side side, std::size_t row, std::vector<Row>& ids, float* out) const {
  const Part& part = sides_[index(side)];
  const Part& from = sides_[index(other(side))];
  ids.clear();
  if (row < part.rows) {
    for (const Row neighbour : part.neighbours->row(row)) {
      if (from.active[neighbour] != 0) ids.push_back(neighbour);
    }
  }
  kernels::gather_sum(from.gradient.data(), from.gradient.stride(), ids.data(), nullptr, ids.size(),
                      from.scale.data(), out);
  kernels::scale_row(out, from.gradient.stride(), part.scale[row], out);
}

void LightGcn::compute_layers(Threads& threads) {
  for (std::size_t l = half_width_ ? 0 : 1; l < layers_; ++l) {
    for (const Side side : {Side::kUser, Side::kItem}) {
      Part& part = sides_[index(side)];
      Layer& target = part.layers[l];
      for_rows(side, threads, [&](std::size_t begin, std::size_t end, int worker) {
        float* scratch = workers_[static_cast<std::size_t>(worker)].block.row(0);
        for (std::size_t r = begin; r < end; ++r) {
          float* row = l == 0 ? target.table().row(r) : target.form(r, scratch);
          if (l > 0) neighbour_sum(side, r, layer(other(side), l - 1), row);
          target.keep(r, part.scale[r], row);
        }
      });
    }
    for (Part& part : sides_) shares_.share({part.layers[l].share(part.rows_of_rank)});
  }
}

void LightGcn::final_row(Side side, std::size_t row, float* scratch) {
  Part& part = sides_[index(side)];
  float* out = part.vectors.row(row);
  const std::size_t stride = part.vectors.stride();
  if (row >= part.rows + part.twins || layers_ == 0) {
    kernels::scale_row(layer(side, 0).table().row(row), stride, 1.0F, out);
    return;
  }
  const float share = 1.0F / static_cast<float>(layers_ + 1);
  const std::size_t place = row < part.rows ? row : row - part.rows;  // a twin's: its item's
  neighbour_sum(side, place, layer(other(side), layers_ - 1), scratch);
  kernels::scale_row(scratch, stride, share, out);
  layer(side, 0).add_row(row, share, part.scale[place], out);
  const std::size_t reached = part.scale[place] > 0 ? layers_ : 1;  // without edges layers are zero
  for (std::size_t l = 1; l < reached; ++l) {
    layer(side, l).add_row(place, share, part.scale[place], out);
  }
}

void LightGcn::prepare_workers(Threads& threads) {
  if (workers_.size() >= static_cast<std::size_t>(threads.count())) return;
  std::size_t widest = 0;
  for (const Part& part : sides_) {
    for (std::size_t r = 0; r < part.neighbours->rows(); ++r) {
      widest = std::max(widest, part.neighbours->count(r));
    }
  }
  workers_.resize(static_cast<std::size_t>(threads.count()));
  for (Worker& worker : workers_) {
    worker.block = Matrix(kBlock, sides_[0].vectors.dim());
    worker.ids.reserve(widest);
    worker.decay.resize(kBlock);
  }
}

void LightGcn::forward(std::span<const Row> users, std::span<const Row> items, Threads& threads) {
  prepare_workers(threads);
  compute_layers(threads);
  final_rows(Side::kUser, users, threads);
  final_rows(Side::kItem, items, threads);
}

// Ranks share the list.
void LightGcn::final_rows(Side side, std::span<const Row> rows, Threads& threads) {
  constexpr std::size_t kGrain = 16;
  cluster::even_cuts(rows.size(), kGrain, list_cuts_);
  const auto rank = static_cast<std::size_t>(shares_.ranks().rank());
  const std::size_t own = list_cuts_[rank], own_end = list_cuts_[rank + 1];
  threads.for_chunks(own_end - own, kGrain, [&](std::size_t begin, std::size_t end, int worker) {
    float* scratch = workers_[static_cast<std::size_t>(worker)].block.row(0);
    for (std::size_t k = own + begin; k < own + end; ++k) final_row(side, rows[k], scratch);
  });
  if (shares_.ranks().alone()) return;
  Matrix& vectors = sides_[index(side)].vectors;
  if (packed_.rows() < rows.size()) packed_ = Matrix(rows.size(), vectors.dim());
  for (std::size_t k = own; k < own_end; ++k) {
    std::copy_n(vectors.row(rows[k]), vectors.stride(), packed_.row(k));
  }
  shares_.share({cluster::share_of(packed_, list_cuts_)});
  for (std::size_t k = 0; k < rows.size(); ++k) {
    std::copy_n(packed_.row(k), vectors.stride(), vectors.row(rows[k]));
  }
}

void LightGcn::forward_all(Threads& threads) {
  prepare_workers(threads);
  compute_layers(threads);
  for (const Side side : {Side::kUser, Side::kItem}) {
    for_rows(side, threads, [&](std::size_t begin, std::size_t end, int worker) {
      float* scratch = workers_[static_cast<std::size_t>(worker)].block.row(0);
      for (std::size_t r = begin; r < end; ++r) final_row(side, r, scratch);
    });
    Part& part = sides_[index(side)];
    shares_.share({cluster::share_of(part.vectors, part.rows_of_rank)});
  }
}

RowConsumer& LightGcn::gradients(Side side, RowConsumer&) {
  return *sides_[index(side)].collector;
}

// A twin's vector is its item's but for layer 0, so its gradient goes where the item's goes, and
// only its own row of the tables takes the last of it (see pull_gradient).
void LightGcn::join_twins() {
  for (Part& part : sides_) {
    for (std::size_t r = 0; r < part.twins; ++r) {
      if (part.active[part.rows + r] == 0) continue;
      kernels::add_scaled(part.gradient.row(part.rows + r), part.gradient.stride(), 1.0F,
                          part.gradient.row(r));
      part.active[r] = 1;
    }
  }
}

// x_pass = g + A x_(pass-1), x_0 = g: the row of x_pass.
void LightGcn::pull_gradient(Side side, std::size_t row, std::size_t pass, std::vector<Row>& ids,
                             float* out) const {
  const Part& part = sides_[index(side)];
  if (pass == 1) {
    active_sum(side, row, ids, out);
  } else {
    neighbour_sum(side, row, layer(other(side), 1 + pass % 2), out);
  }
  if (part.active[row] == 0) return;
  kernels::add_scaled(part.gradient.row(row), part.gradient.stride(), 1.0F, out);
  if (pass == layers_ && row < part.twins && part.active[part.rows + row] != 0) {
    kernels::add_scaled(part.gradient.row(part.rows + row), part.gradient.stride(), -1.0F, out);
  }
}

void LightGcn::backward(RowConsumer& update_users, RowConsumer& update_items, Threads& threads) {
  join_twins();
  // Pass p writes buffer (p + 1) % 2 and reads p % 2, so that two layers get by with buffer 0
  // alone; the buffers are layers 1 and 2, which nobody needs any more.
  for (std::size_t pass = 1; pass < layers_; ++pass) {
    for (const Side side : {Side::kUser, Side::kItem}) {
      Part& part = sides_[index(side)];
      Layer& target = part.layers[1 + (pass + 1) % 2];
      for_rows(side, threads, [&](std::size_t begin, std::size_t end, int worker) {
        Worker& own = workers_[static_cast<std::size_t>(worker)];
        for (std::size_t r = begin; r < end; ++r) {
          float* row = target.form(r, own.block.row(0));
          pull_gradient(side, r, pass, own.ids, row);
          target.keep(r, part.scale[r], row);
        }
      });
    }
    for (Part& part : sides_) {
      shares_.share({part.layers[1 + (pass + 1) % 2].share(part.rows_of_rank)});
    }
  }
  for (const Side side : {Side::kUser, Side::kItem}) {
    Part& part = sides_[index(side)];
    RowConsumer& update = side == Side::kUser ? update_users : update_items;
    for_rows(side, threads, [&](std::size_t begin, std::size_t end, int worker) {
      Worker& own = workers_[static_cast<std::size_t>(worker)];
      std::array<Row, kBlock> rows;
      for (std::size_t first = begin; first < end; first += kBlock) {
        const std::size_t count = std::min(kBlock, end - first);
        for (std::size_t k = 0; k < count; ++k) {
          rows[k] = static_cast<Row>(first + k);
          own.decay[k] = part.decay[first + k];
          if (layers_ == 0) {
            kernels::scale_row(part.gradient.row(first + k), part.gradient.stride(), 1.0F,
                               own.block.row(k));
          } else {
            pull_gradient(side, first + k, layers_, own.ids, own.block.row(k));
          }
        }
        update.consume({std::span<const Row>(rows.data(), count), own.block.data(),
                        own.block.stride(), own.decay.data()});
      }
    });
    shares_.share({cluster::share_of(part.layers[0].table(), part.rows_of_rank)});
  }
  for (Part& part : sides_) {
    for (std::size_t r = 0; r < part.active.size(); ++r) {
      if (part.active[r] == 0) continue;
      std::fill_n(part.gradient.row(r), part.gradient.stride(), 0.0F);
      part.active[r] = 0;
      part.decay[r] = 0;
    }
  }
}

}  // namespace evenkeel::encoder
