// In: counts and vectors of classes. Out: loss and gradients, the same at any thread count.
#include "train/class_objective.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/gemm.h"
#include "kernels/rows.h"
#include "kernels/softmax.h"

namespace evenkeel::train {
namespace {

using kernels::kPanel;

// Users by class, so that each class's counts are the work of one thread.
struct UsersByClass {
  std::vector<std::size_t> begin;  // by class, and one more
  std::vector<Row> users;
};

UsersByClass group_users(const loss::PopularityClasses& classes) {
  UsersByClass grouped;
  grouped.begin.assign(classes.values.size() + 1, 0);
  for (const std::uint32_t at : classes.of_row) ++grouped.begin[at + 1];
  for (std::size_t c = 0; c < classes.values.size(); ++c) grouped.begin[c + 1] += grouped.begin[c];
  std::vector<std::size_t> next(grouped.begin.begin(), grouped.begin.end() - 1);
  grouped.users.resize(classes.of_row.size());
  for (std::size_t u = 0; u < classes.of_row.size(); ++u) {
    grouped.users[next[classes.of_row[u]]++] = static_cast<Row>(u);
  }
  return grouped;
}

// One for each of the user's pairs, or none at all.
std::span<const float> weights_of(const data::Csr& items_of, Row user) {
  if (items_of.weights.empty()) return {};
  return std::span(items_of.weights).subspan(items_of.offsets[user], items_of.count(user));
}

// Below this an exponential of a cosine may underflow, and rows are shifted by their maximum.
constexpr float kPlainTau = 0.025F;

}  // namespace

ClassCounts class_counts(const data::Csr& items_of, const loss::PopularityClasses& users,
                         const loss::PopularityClasses& items, double (*weight)(double total),
                         Threads& threads) {
  const std::size_t classes = users.values.size();
  const UsersByClass grouped = group_users(users);
  ClassCounts counts{Matrix(classes, items.values.size()), {}};
  std::vector<double> totals(classes, 0.0);
  threads.for_chunks(classes, 1, [&](std::size_t begin, std::size_t end, int) {
    std::vector<double> row(items.values.size());
    for (std::size_t a = begin; a < end; ++a) {
      std::fill(row.begin(), row.end(), 0.0);
      for (std::size_t k = grouped.begin[a]; k < grouped.begin[a + 1]; ++k) {
        const auto owned = items_of.row(grouped.users[k]);
        if (owned.empty() || owned.size() == items.of_row.size()) continue;
        const auto weights = weights_of(items_of, grouped.users[k]);
        double total = weights.empty() ? static_cast<double>(owned.size()) : 0.0;
        for (const float value : weights) total += double{value};
        if (total <= 0) continue;
        const double each = weight(total);
        for (std::size_t n = 0; n < owned.size(); ++n) {
          row[items.of_row[owned[n]]] += weights.empty() ? each : each * double{weights[n]};
        }
      }
      for (std::size_t b = 0; b < row.size(); ++b) {
        totals[a] += row[b];
        counts.pairs.row(a)[b] = static_cast<float>(row[b]);
      }
    }
  });
  double total = 0;
  for (const double part : totals) total += part;
  const auto scale = static_cast<float>(total > 0 ? 1 / total : 0);
  for (std::size_t a = 0; a < classes; ++a) {
    for (float& share : counts.pairs.values(a)) share *= scale;
  }
  counts.items.assign(items.values.size(), 0.0F);
  std::vector<std::size_t> sizes(items.values.size(), 0);
  for (const std::uint32_t at : items.of_row) ++sizes[at];
  for (std::size_t b = 0; b < sizes.size(); ++b) {
    counts.items[b] = static_cast<float>(static_cast<double>(sizes[b]) /
                                         static_cast<double>(items.of_row.size()));
  }
  return counts;
}

ClassObjective::ClassObjective(const ClassCounts& counts, std::size_t dim, double tau,
                               double negatives, Threads& threads)
    : counts_(counts),
      tau_(static_cast<float>(tau)),
      threads_(threads),
      stride_(padded(counts.pairs.dim()) + kPanel),  // see Tile: rows must not fight for a set
      negatives_(stride_),
      panels_(padded(counts.pairs.dim()) * padded(dim)),
      partial_(kStretches, Matrix(counts.pairs.dim(), dim)) {
  for (std::size_t b = 0; b < counts.items.size(); ++b) {
    negatives_[b] = static_cast<float>(negatives * double{counts.items[b]});
  }
  for (int worker = 0; worker < threads.count(); ++worker) {
    scratch_.emplace_back((kTile + 1) * stride_);
  }
}

double ClassObjective::evaluate(const Matrix& users, const Matrix& items, bool wants_loss,
                                ClassGradients& out) {
  threads_.for_chunks(items.rows(), 4 * kPanel, [&](std::size_t begin, std::size_t end, int) {
    kernels::pack_panels(items.row(begin), end - begin, items.stride(),
                         panels_.data() + begin * items.stride());
  });
  std::array<double, kStretches> losses{};
  threads_.for_chunks(kStretches, 1, [&](std::size_t begin, std::size_t end, int worker) {
    for (std::size_t s = begin; s < end; ++s) {
      losses[s] = stretch(s, users, items, wants_loss, scratch_[worker].data(), out.users);
    }
  });
  threads_.for_chunks(items.rows(), kPanel, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t b = begin; b < end; ++b) {
      std::fill_n(out.items.row(b), items.stride(), 0.0F);
      for (const Matrix& part : partial_) {
        kernels::add_scaled(part.row(b), items.stride(), 1.0F, out.items.row(b));
      }
    }
  });
  double loss = 0;
  for (const double part : losses) loss += part;
  return loss;
}

double ClassObjective::stretch(std::size_t number, const Matrix& users, const Matrix& items,
                               bool wants_loss, float* tile, Matrix& user_gradients) {
  const std::size_t begin = users.rows() * number / kStretches;
  const std::size_t end = users.rows() * (number + 1) / kStretches;
  const std::size_t depth = users.stride(), classes = items.rows();
  Matrix& item_gradients = partial_[number];
  if (begin == end) item_gradients.fill_zero();
  double loss = 0;
  for (std::size_t first = begin; first < end; first += kTile) {
    const std::size_t count = std::min(kTile, end - first);
    kernels::gemm({.rows = count,
                   .panels = padded(classes) / kPanel,
                   .depth = depth,
                   .a = users.row(first),
                   .a_row = depth,
                   .a_depth = 1,
                   .b = panels_.data(),
                   .b_panel = kPanel * depth,
                   .b_depth = kPanel,
                   .c = tile,
                   .c_row = stride_});
    for (std::size_t r = 0; r < count; ++r) {
      loss += derivatives(first + r, wants_loss, tile + r * stride_, tile + kTile * stride_);
    }
    kernels::gemm({.rows = count,
                   .panels = depth / kPanel,
                   .depth = classes,
                   .a = tile,
                   .a_row = stride_,
                   .a_depth = 1,
                   .b = items.data(),
                   .b_panel = kPanel,
                   .b_depth = depth,
                   .c = user_gradients.row(first),
                   .c_row = depth});
    kernels::gemm({.rows = classes,
                   .panels = depth / kPanel,
                   .depth = count,
                   .a = tile,
                   .a_row = 1,
                   .a_depth = stride_,
                   .b = users.row(first),
                   .b_panel = kPanel,
                   .b_depth = depth,
                   .c = item_gradients.data(),
                   .c_row = depth,
                   .accumulate = first > begin});
  }
  return loss;
}

// In: the cosines x of one user class. Out, in their place: with e = exp((x - 1)/t), Z = sum N n/I
// e and r = C / (e + Z), the derivative (e (r + N n/I sum r) - C) / t of sum C (log(e + Z) - (x -
// 1)/t).
double ClassObjective::derivatives(std::size_t user, bool wants_loss, float* values,
                                   float* ratios) const {
  const std::size_t classes = counts_.items.size();
  const float* shares = counts_.pairs.row(user);
  if (tau_ < kPlainTau) {
    const float shift = 1.0F - *std::max_element(values, values + classes);
    for (std::size_t b = 0; b < classes; ++b) values[b] += shift;
  }
  double loss = 0;
  if (wants_loss) {
    for (std::size_t b = 0; b < classes; ++b) {
      loss -= double{shares[b]} * (double{values[b]} - 1.0) / double{tau_};
    }
  }
  kernels::exponentials(values, classes, tau_);
  const float rest = kernels::dot(values, negatives_.data(), padded(classes));
  std::array<float, kPanel> sums{};
  for (std::size_t b = 0; b < padded(classes); b += kPanel) {  // the padding has no shares
    for (std::size_t lane = 0; lane < kPanel; ++lane) {
      ratios[b + lane] = shares[b + lane] / (values[b + lane] + rest);
      sums[lane] += ratios[b + lane];
    }
  }
  if (wants_loss) {
    for (std::size_t b = 0; b < classes; ++b) {
      if (shares[b] > 0) loss += double{shares[b]} * std::log(double{values[b]} + double{rest});
    }
  }
  float weight = 0;
  for (const float sum : sums) weight += sum;
  const float inverse = 1.0F / tau_;
  for (std::size_t b = 0; b < padded(classes); ++b) {
    values[b] = (values[b] * (ratios[b] + weight * negatives_[b]) - shares[b]) * inverse;
  }
  return loss;
}

}  // namespace evenkeel::train
