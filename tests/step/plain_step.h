// What a step computes, as plain loops in double. In: two tables, positives and the negatives of
// each; out: the batch's loss and the gradient of every row. Every kind of step is compared with
// this.
#pragma once

#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "base/matrix.h"
#include "base/types.h"

namespace evenkeel::testing {

using Vector = std::vector<double>;

// A table's rows as they are compared, and the gradient with respect to them.
struct PlainSide {
  PlainSide(const Matrix& table, bool cosine)
      : rows(table.rows()), norms(table.rows(), 1.0), gradient(table.rows()), cosine(cosine) {
    for (std::size_t r = 0; r < table.rows(); ++r) {
      rows[r].assign(table.values(r).begin(), table.values(r).end());
      gradient[r].assign(rows[r].size(), 0.0);
      if (!cosine) continue;
      double square = 0;
      for (const double x : rows[r]) square += x * x;
      norms[r] = std::sqrt(square);
      for (double& x : rows[r]) x /= norms[r];
    }
  }
  // With respect to the table: back through v -> v / |v|.
  double of_table(std::size_t r, std::size_t c) const {
    if (!cosine) return gradient[r][c];
    double along = 0;
    for (std::size_t k = 0; k < rows[r].size(); ++k) along += rows[r][k] * gradient[r][k];
    return (gradient[r][c] - along * rows[r][c]) / norms[r];
  }
  std::vector<Vector> rows;
  Vector norms;
  std::vector<Vector> gradient;
  bool cosine;
};

// The loss of one sample from its similarities, and its derivative with respect to each.
struct PlainLoss {
  double loss = 0, d_positive = 0;
  Vector d_negatives;
};
using PlainFormula = std::function<PlainLoss(double positive, const Vector& negatives)>;

struct PlainStep {
  double loss = 0;  // sum over the samples
  PlainSide users, items;
};

// negatives[b] are the items that sample b is compared with.
inline PlainStep plain_step(const Matrix& users, const Matrix& items, bool cosine,
                            std::span<const Pair> positives,
                            const std::vector<std::vector<Row>>& negatives,
                            const PlainFormula& formula) {
  PlainStep step{0, PlainSide(users, cosine), PlainSide(items, cosine)};
  const auto similarity = [&](Row u, Row i) {
    double sum = 0;
    for (std::size_t c = 0; c < users.dim(); ++c)
      sum += step.users.rows[u][c] * step.items.rows[i][c];
    return sum;
  };
  const auto add = [&](Row u, Row i, double derivative) {
    for (std::size_t c = 0; c < users.dim(); ++c) {
      step.users.gradient[u][c] += derivative * step.items.rows[i][c];
      step.items.gradient[i][c] += derivative * step.users.rows[u][c];
    }
  };
  for (std::size_t b = 0; b < positives.size(); ++b) {
    const auto [u, i] = positives[b];
    Vector similarities;
    for (const Row j : negatives[b]) similarities.push_back(similarity(u, j));
    const PlainLoss sample = formula(similarity(u, i), similarities);
    step.loss += sample.loss;
    add(u, i, sample.d_positive);
    for (std::size_t k = 0; k < negatives[b].size(); ++k) {
      add(u, negatives[b][k], sample.d_negatives[k]);
    }
  }
  return step;
}

// -log exp(s / tau) / (exp(s / tau) + sum_k exp(s_k / tau)), the positive's angle widened by
// `margin`, held at pi: softmax, and BC with a constant margin.
inline PlainFormula plain_softmax(double tau, double margin) {
  return [=](double positive, const Vector& negatives) {
    const double angle = std::acos(positive);
    const bool capped = angle + margin > std::acos(-1.0);
    const double widened = capped ? -1 : std::cos(angle + margin);
    const double slope = capped ? 0 : std::sin(angle + margin) / std::sin(angle);
    const double own = std::exp(widened / tau);
    double total = own;
    for (const double s : negatives) total += std::exp(s / tau);
    PlainLoss sample{-std::log(own / total), (own / total - 1) / tau * slope, {}};
    for (const double s : negatives) {
      sample.d_negatives.push_back(std::exp(s / tau) / total / tau);
    }
    return sample;
  };
}

// -log sigmoid(s - s_1): BPR.
inline PlainFormula plain_bpr() {
  return [](double positive, const Vector& negatives) {
    const double wrong = 1 / (1 + std::exp(positive - negatives.front()));
    return PlainLoss{-std::log(1 - wrong), -wrong, {wrong}};
  };
}

}  // namespace evenkeel::testing
