// In: known rows. Out: the usual value for a popularity; the heights of items among people.
#include "rank/usual_place.h"

#include <algorithm>
#include <cmath>

namespace evenkeel::rank {
namespace {

constexpr std::size_t kAlike = 64;
// 70 million products of 64 dimensions; with more dimensions fewer people, about as many products.
constexpr std::size_t kMostPeople = 16384, kLeastPeople = 512, kProducts = std::size_t{1} << 27;
// Measured with a twentieth of the items held out (docs/serve.md): one deviation fewer leaves new
// items on too many lists, one more hides them from their own people.
constexpr double kDeviations = 2;
constexpr int kHalvings = 40;

double length_of(const std::vector<double>& row) {
  double square = 0;
  for (const double value : row) square += value * value;
  return std::sqrt(square);
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d) sum += a[d] * b[d];
  return sum;
}

void scale(std::vector<double>& row, double factor) {
  for (double& value : row) value *= factor;
}

}  // namespace

UsualValue::UsualValue(Known known, std::function<double(Row)> value)
    : known_(std::move(known)), value_(std::move(value)) {
  std::sort(known_.begin(), known_.end());
}

double UsualValue::at(std::size_t popularity) {
  const std::size_t window = std::min(kAlike, known_.size());
  if (window == 0) return 1;
  const auto before = [](const auto& a, const auto& b) { return a.first < b.first; };
  const auto [first, last] =
      std::equal_range(known_.begin(), known_.end(), std::pair(popularity, Row{0}), before);
  const auto place = static_cast<std::size_t>(first + (last - first) / 2 - known_.begin());
  const std::size_t half = window / 2;
  const std::size_t begin = std::min(place > half ? place - half : 0, known_.size() - window);
  const auto [mean, fresh] = means_.try_emplace(begin, 0.0);
  if (fresh) {
    for (std::size_t n = begin; n < begin + window; ++n) mean->second += value_(known_[n].second);
    mean->second /= static_cast<double>(window);
  }
  return mean->second;
}

Audience::Audience(const Matrix& users, model::Score score)
    : dim_(users.dim()), score_(score), mean_(dim_, 0.0), covariance_(dim_ * dim_, 0.0) {
  const std::size_t wanted = kProducts / std::max<std::size_t>(1, dim_ * dim_);
  const std::size_t people = std::min(users.rows(), std::clamp(wanted, kLeastPeople, kMostPeople));
  for (std::size_t n = 0; n < people; ++n) {
    const std::vector<double> user = compared(users.row(n * users.rows() / people));
    for (std::size_t a = 0; a < dim_; ++a) {
      mean_[a] += user[a];
      for (std::size_t b = 0; b <= a; ++b) covariance_[a * dim_ + b] += user[a] * user[b];
    }
  }
  const double share = people > 0 ? 1 / static_cast<double>(people) : 0;
  scale(mean_, share);
  for (std::size_t a = 0; a < dim_; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      double& value = covariance_[a * dim_ + b];
      value = value * share - mean_[a] * mean_[b];
      covariance_[b * dim_ + a] = value;
    }
  }
}

std::vector<double> Audience::compared(const float* item) const {
  std::vector<double> row(item, item + dim_);
  const double length = length_of(row);
  if (score_ == model::Score::kCosine && length > 0) scale(row, 1 / length);
  return row;
}

double Audience::product(const std::vector<double>& a, const std::vector<double>& b) const {
  double sum = 0;
  for (std::size_t d = 0; d < dim_; ++d) {
    double row = 0;
    for (std::size_t e = 0; e < dim_; ++e) row += covariance_[d * dim_ + e] * b[e];
    sum += a[d] * row;
  }
  return sum;
}

double Audience::height(const float* item) const {
  const std::vector<double> row = compared(item);
  return dot(row, mean_) + kDeviations * std::sqrt(std::max(0.0, product(row, row)));
}

// The item is t along the mean person and the rest across; a smaller t lowers it with everybody.
void Audience::lower(float* item, double most) const {
  if (height(item) <= most) return;
  const std::vector<double> row = compared(item);
  const double away = length_of(mean_);
  if (away == 0) return;
  std::vector<double> along = mean_;
  scale(along, 1 / away);
  double high = dot(row, along);
  std::vector<double> across = row;
  for (std::size_t d = 0; d < dim_; ++d) across[d] -= high * along[d];
  const double rest = length_of(across);
  if (rest == 0) return;
  scale(across, 1 / rest);
  const double length = length_of(row);
  const double vv = product(along, along), vw = product(along, across),
               ww = product(across, across);
  const auto other = [&](double t) { return std::sqrt(std::max(0.0, length * length - t * t)); };
  double low = -length;
  for (int halving = 0; halving < kHalvings; ++halving) {
    const double t = (low + high) / 2, r = other(t);
    const double variance = t * t * vv + 2 * t * r * vw + r * r * ww;
    const double height = away * t + kDeviations * std::sqrt(std::max(0.0, variance));
    (height > most ? high : low) = t;
  }
  double square = 0;
  for (std::size_t d = 0; d < dim_; ++d) square += double{item[d]} * double{item[d]};
  const double stretch = std::sqrt(square) / length;
  for (std::size_t d = 0; d < dim_; ++d) {
    item[d] = static_cast<float>(stretch * (low * along[d] + other(low) * across[d]));
  }
}

}  // namespace evenkeel::rank
