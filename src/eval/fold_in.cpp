// In: frozen item vectors and items of new users. Out: least-squares user vectors.
#include "eval/fold_in.h"

#include <cmath>
#include <vector>

#include "base/error.h"
#include "eval/ranker.h"

namespace evenkeel {
namespace {

// How strongly a user's vector must stay away from items it does not have.
constexpr double kBackground = 100.0;
constexpr double kRidge = 1e-3;  // relative to the mean of the diagonal

using Square = std::vector<double>;  // dim x dim, row by row; the lower triangle counts

void add_outer(const float* v, double weight, std::size_t dim, Square& sum) {
  for (std::size_t a = 0; a < dim; ++a) {
    const double scaled = weight * v[a];
    for (std::size_t b = 0; b <= a; ++b) sum[a * dim + b] += scaled * v[b];
  }
}

// Item vectors as the model compares them: of length 1 for the cosine.
Matrix compared_items(const Model& model, Threads& threads) {
  Matrix items = model.items;
  if (model.score != Score::kCosine) return items;
  std::vector<float> scale;
  inverse_norms(items, scale, threads);
  for (std::size_t i = 0; i < items.rows(); ++i) {
    for (float& value : items.values(i)) value *= scale[i];
  }
  return items;
}

// Mean of v v^T over all items.
Square second_moment(const Matrix& items) {
  const std::size_t dim = items.dim();
  Square sum(dim * dim);
  for (std::size_t i = 0; i < items.rows(); ++i) {
    add_outer(items.row(i), 1.0 / static_cast<double>(items.rows()), dim, sum);
  }
  return sum;
}

// Solves A x = b in place (x in b) by Cholesky; A is positive definite thanks to the ridge.
void solve(Square& a, std::vector<double>& b) {
  const std::size_t dim = b.size();
  for (std::size_t c = 0; c < dim; ++c) {
    for (std::size_t r = c; r < dim; ++r) {
      double sum = a[r * dim + c];
      for (std::size_t k = 0; k < c; ++k) sum -= a[r * dim + k] * a[c * dim + k];
      a[r * dim + c] = r == c ? std::sqrt(sum) : sum / a[c * dim + c];
    }
  }
  for (std::size_t r = 0; r < dim; ++r) {
    for (std::size_t k = 0; k < r; ++k) b[r] -= a[r * dim + k] * b[k];
    b[r] /= a[r * dim + r];
  }
  for (std::size_t r = dim; r-- > 0;) {
    for (std::size_t k = r + 1; k < dim; ++k) b[r] -= a[k * dim + r] * b[k];
    b[r] /= a[r * dim + r];
  }
}

}  // namespace

Matrix fold_in(const Model& model, const Csr& items_of, Threads& threads) {
  const Matrix items = compared_items(model, threads);
  const Square background = second_moment(items);
  const std::size_t dim = items.dim();
  double trace = 0;
  for (std::size_t d = 0; d < dim; ++d) trace += background[d * dim + d];
  Matrix users(items_of.rows(), dim);
  if (!(trace > 0)) return users;  // all items are zero: nothing can be told apart
  threads.for_chunks(users.rows(), 16, [&](std::size_t begin, std::size_t end, int) {
    Square a(dim * dim);
    std::vector<double> b(dim);
    for (std::size_t u = begin; u < end; ++u) {
      const auto own = items_of.row(u);
      if (own.empty()) continue;
      const auto count = static_cast<double>(own.size());
      for (std::size_t n = 0; n < a.size(); ++n) a[n] = kBackground * count * background[n];
      for (std::size_t d = 0; d < dim; ++d) {
        a[d * dim + d] += kRidge * kBackground * count * trace / static_cast<double>(dim);
      }
      b.assign(dim, 0.0);
      for (const Row item : own) {
        EVENKEEL_CHECK(item < items.rows());
        add_outer(items.row(item), 1.0, dim, a);
        for (std::size_t d = 0; d < dim; ++d) b[d] += items.row(item)[d];
      }
      solve(a, b);
      for (std::size_t d = 0; d < dim; ++d) users.row(u)[d] = static_cast<float>(b[d]);
    }
  });
  return users;
}

}  // namespace evenkeel
