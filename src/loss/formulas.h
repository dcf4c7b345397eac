// The losses as plain formulas (docs/methods.md section 3), one sample each, in any precision.
// In: similarities; out: loss, with derivatives written beside. The double instantiation is the
// reference of the tests; losses whose row needs speed call src/kernels instead and match it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "kernels/surrogate.h"

namespace evenkeel::loss::formulas {

template <typename T>
T sigmoid(T x) {
  return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
}

// log(1 + e^x) without overflow.
template <typename T>
T softplus(T x) {
  return std::max(x, T(0)) + std::log1p(std::exp(-std::abs(x)));
}

// -log( e^{p/tau} / (e^{p/tau} + sum_k e^{n_k/tau}) )
template <typename T>
T softmax(T positive, const T* negatives, std::size_t count, T tau, T& d_positive, T* d_negatives) {
  T highest = positive;
  for (std::size_t k = 0; k < count; ++k) highest = std::max(highest, negatives[k]);
  T negative_sum = 0;
  for (std::size_t k = 0; k < count; ++k) {
    d_negatives[k] = std::exp((negatives[k] - highest) / tau);
    negative_sum += d_negatives[k];
  }
  const T logit = (positive - highest) / tau;
  const T total = std::exp(logit) + negative_sum;
  for (std::size_t k = 0; k < count; ++k) d_negatives[k] /= total * tau;
  d_positive = -negative_sum / (total * tau);
  return std::log(total) - logit;
}

// The same from negative_sum = sum_k e^{(n_k - 1)/tau}; the derivatives of the negatives share
// `factor`.
template <typename T>
struct SoftmaxOfSum {
  T loss, d_positive, factor;
};

template <typename T>
SoftmaxOfSum<T> softmax_of_sum(T positive, T negative_sum, T tau) {
  const T logit = (positive - 1) / tau;
  const T total = std::exp(logit) + negative_sum;
  const T factor = 1 / (total * tau);
  return {std::log(total) - logit, -negative_sum * factor, factor};
}

// w log sum_k e^{n_k/tau} - p/tau: the positive left out of the sum, its pull never fades; w is the
// weight of the negatives. Without any negative there is nothing to learn: 0.
template <typename T>
SoftmaxOfSum<T> weighted_of_sum(T positive, T negative_sum, T tau, T weight) {
  if (negative_sum <= 0) return {T(0), T(0), 1 / tau};
  return {weight * (std::log(negative_sum) + 1 / tau) - positive / tau, -1 / tau,
          weight / (negative_sum * tau)};
}

// What becomes of cos(phi), phi = theta + M, where phi may pass pi. `capped` (the paper) holds it
// at -1 from pi on, without gradient. `monotone` leaves the cosine at its inflection point pi/2
// along the tangent, pi/2 - phi: twice continuously differentiable, strictly decreasing, slope -1
// for every hard pair. (Going on from pi itself leaves the flat valley around pi, where pairs get
// stuck: docs/methods.md has the figures.)
enum class Shape { kCapped, kMonotone };

// The positive's similarity with its margin, and the derivative with respect to c = cos theta.
template <typename T>
struct WithMargin {
  T cosine, derivative;
  bool past_pi;
};

template <typename T>
WithMargin<T> with_margin(T c, T margin, T cos_margin, T sin_margin, Shape shape = Shape::kCapped) {
  // The derivative sin(theta + M) / sin(theta) grows without bound as c -> +-1, while the vectors'
  // own derivative shrinks with sin(theta): staying this far from the poles keeps both finite.
  constexpr T kPole = std::is_same_v<T, float> ? T(1e-6) : T(1e-12);
  c = std::clamp(c, T(-1) + kPole, T(1) - kPole);
  if (margin <= 0) return {c, T(1), false};
  constexpr T kPi = T(3.14159265358979323846);
  const T s = std::sqrt((1 - c) * (1 + c));
  const bool past_pi = margin >= kPi || c < -cos_margin;  // theta > pi - margin
  if (shape == Shape::kMonotone) {
    const T phi = std::acos(c) + margin;
    if (phi > kPi / 2) return {kPi / 2 - phi, 1 / s, past_pi};
  } else if (past_pi) {
    return {T(-1), T(0), true};
  }
  return {c * cos_margin - s * sin_margin, cos_margin + c / s * sin_margin, false};
}

// -log sigmoid(p - n), mean over the negatives.
template <typename T>
T bpr(T positive, const T* negatives, std::size_t count, std::size_t unmasked, T& d_positive,
      T* d_negatives) {
  T loss = 0;
  d_positive = 0;
  const T share = T(1) / static_cast<T>(std::max<std::size_t>(unmasked, 1));
  for (std::size_t k = 0; k < count; ++k) {
    if (negatives[k] == -std::numeric_limits<T>::infinity()) {
      d_negatives[k] = 0;
      continue;
    }
    const T x = negatives[k] - positive;
    loss += softplus(x) * share;
    const T g = sigmoid(x) * share;
    d_negatives[k] = g;
    d_positive -= g;
  }
  return loss;
}

// -log sigmoid(p) - mean log(1 - sigmoid(n))
template <typename T>
T bce(T positive, const T* negatives, std::size_t count, std::size_t unmasked, T& d_positive,
      T* d_negatives) {
  T loss = softplus(-positive);
  d_positive = -sigmoid(-positive);
  const T share = T(1) / static_cast<T>(std::max<std::size_t>(unmasked, 1));
  for (std::size_t k = 0; k < count; ++k) {
    if (negatives[k] == -std::numeric_limits<T>::infinity()) {
      d_negatives[k] = 0;
      continue;
    }
    const T n = negatives[k];
    loss += softplus(n) * share;
    d_negatives[k] = sigmoid(n) * share;
  }
  return loss;
}

// (1 - p) + w * mean max(0, n - m)
template <typename T>
T ccl(T positive, const T* negatives, std::size_t count, std::size_t unmasked, T weight, T margin,
      T& d_positive, T* d_negatives) {
  T loss = 1 - positive;
  d_positive = -1;
  const T share = weight / static_cast<T>(std::max<std::size_t>(unmasked, 1));
  for (std::size_t k = 0; k < count; ++k) {
    const T over = negatives[k] - margin;
    loss += over > 0 ? over * share : T(0);
    d_negatives[k] = over > 0 ? share : T(0);
  }
  return loss;
}

// w log sum_k e^{(n_k - p')/tau}, w = sigmoid((p - threshold) / tau_w), from log_sum =
// log sum_k e^{n_k/tau}; p' is the positive with its margin, `slope` = dp'/dp. Weight and sum are
// both differentiated; the derivatives of the negatives are those of log_sum times `weight`.
template <typename T>
struct Weighted {
  T loss, d_positive, weight;
};

template <typename T>
Weighted<T> sl_at_k(T positive, T with_margin, T slope, T log_sum, T threshold, T tau, T tau_w) {
  const T weight = sigmoid((positive - threshold) / tau_w);
  const T loss = log_sum - with_margin / tau;
  return {weight * loss, weight * ((1 - weight) / tau_w * loss - slope / tau), weight};
}

// weight * (1 - p + n_k), k the first with n_k > p - 1, weight = log(floor((items - 1) / draws)),
// draws = how many came up to it; masked ones were never drawn. 0 if none violates.
template <typename T>
T warp(T positive, const T* negatives, std::size_t count, std::size_t items, T& d_positive,
       T* d_negatives) {
  T weight = 0, excess = 0;
  std::size_t first = 0, draws = 0;
  for (; first < count; ++first) {
    if (negatives[first] == -std::numeric_limits<T>::infinity()) continue;
    ++draws;
    excess = 1 - positive + negatives[first];
    if (excess <= 0) continue;
    weight = std::log(static_cast<T>(std::max<std::size_t>((items - 1) / draws, 1)));
    break;
  }
  std::fill_n(d_negatives, count, T(0));
  if (first < count) d_negatives[first] = weight;
  d_positive = -weight;
  return weight * excess;
}

// log sum_k a((n_k - p)/2)^{2/tau}. A cosine of exactly -1 against one of 1 would be log 0 in relu:
// below kLeast the surrogate is held, without gradient.
template <typename T>
T psl(kernels::Surrogate kind, T positive, const T* negatives, std::size_t count, T tau,
      T& d_positive, T* d_negatives) {
  constexpr T kLeast = T(kernels::kLeastSurrogate);
  const auto surrogate = [&](T x, T& slope) {
    slope = kind == kernels::Surrogate::kAtan ? 1 / (1 + x * x) : T(1);
    T a = 1 + (kind == kernels::Surrogate::kAtan ? std::atan(x) : x);
    if (kind == kernels::Surrogate::kTanh) {
      a = 1 + std::tanh(x);
      slope = a * (2 - a);
    }
    if (a < kLeast) slope = 0;
    return std::max(a, kLeast);
  };
  T highest = -std::numeric_limits<T>::infinity(), total = 0, slope = 0;
  for (std::size_t k = 0; k < count; ++k) highest = std::max(highest, negatives[k]);
  d_positive = 0;
  if (highest == -std::numeric_limits<T>::infinity()) {
    std::fill_n(d_negatives, count, T(0));
    return 0;
  }
  const T top = std::log(surrogate((highest - positive) / 2, slope));
  for (std::size_t k = 0; k < count; ++k) {
    const T n = negatives[k];
    d_negatives[k] = 0;
    if (n == -std::numeric_limits<T>::infinity()) continue;
    const T a = surrogate((n - positive) / 2, slope);
    const T share = std::exp(2 / tau * (std::log(a) - top));
    total += share;
    d_negatives[k] = share * slope / (a * tau);
  }
  for (std::size_t k = 0; k < count; ++k) {
    d_negatives[k] /= total;
    d_positive -= d_negatives[k];
  }
  return std::log(total) + 2 / tau * top;
}

}  // namespace evenkeel::loss::formulas
