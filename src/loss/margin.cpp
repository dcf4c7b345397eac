// In: margin kind, strength, popularity vectors. Out: the lookup table of margins.
#include "loss/margin.h"

#include <algorithm>
#include <cmath>

#include "base/registry.h"
#include "loss/formulas.h"

namespace evenkeel::loss {
namespace {

double angle_margin(double cosine, double) {
  return std::acos(std::clamp(cosine, -1.0, 1.0));
}
double sigmoid_margin(double, double dot) {
  return 1.0 - formulas::sigmoid(dot);
}
double constant_margin(double, double) {
  return 1.0;
}

const MarginEntry kMargins[] = {
    {"angle", "angle between the popularity vectors of user and item (the paper)", true,
     angle_margin},
    {"sigmoid", "1 - sigmoid(dot of the popularity vectors) (the authors' program)", true,
     sigmoid_margin},
    {"constant", "the same margin for every pair: the strength, in radians", false,
     constant_margin},
};

Margin make_margin(double angle) {
  return {static_cast<float>(angle), static_cast<float>(std::cos(angle)),
          static_cast<float>(std::sin(angle))};
}

}  // namespace

std::span<const MarginEntry> margin_kinds() {
  return kMargins;
}

const MarginEntry& find_margin(std::string_view name) {
  return find_entry("margin", name, margin_kinds());
}

PopularityClasses popularity_classes(std::span<const std::uint32_t> popularity) {
  PopularityClasses classes;
  classes.values.assign(popularity.begin(), popularity.end());
  std::sort(classes.values.begin(), classes.values.end());
  classes.values.erase(std::unique(classes.values.begin(), classes.values.end()),
                       classes.values.end());
  classes.of_row.reserve(popularity.size());
  for (const std::uint32_t count : popularity) {
    const auto place = std::lower_bound(classes.values.begin(), classes.values.end(), count);
    classes.of_row.push_back(static_cast<std::uint32_t>(place - classes.values.begin()));
  }
  return classes;
}

Margins Margins::constant(double strength, std::size_t users, std::size_t items) {
  Margins margins;
  margins.user_class_.assign(users, 0);
  margins.item_class_.assign(items, 0);
  margins.table_ = {make_margin(strength * constant_margin(0, 0))};
  return margins;
}

Margins Margins::from_vectors(const MarginEntry& kind, double strength, PopularityClasses users,
                              PopularityClasses items, const Matrix& user_vectors,
                              const Matrix& item_vectors) {
  EVENKEEL_CHECK(user_vectors.rows() == users.values.size());
  EVENKEEL_CHECK(item_vectors.rows() == items.values.size());
  const auto product = [&](std::span<const float> a, std::span<const float> b) {
    double sum = 0;
    for (std::size_t c = 0; c < a.size(); ++c) sum += double{a[c]} * double{b[c]};
    return sum;
  };
  Margins margins;
  margins.user_class_ = std::move(users.of_row);
  margins.item_class_ = std::move(items.of_row);
  margins.item_classes_ = item_vectors.rows();
  margins.table_.reserve(user_vectors.rows() * item_vectors.rows());
  for (std::size_t u = 0; u < user_vectors.rows(); ++u) {
    const auto user = user_vectors.values(u);
    const double user_norm = std::sqrt(product(user, user));
    for (std::size_t i = 0; i < item_vectors.rows(); ++i) {
      const auto item = item_vectors.values(i);
      const double dot = product(user, item);
      const double norms = user_norm * std::sqrt(product(item, item));
      const double cosine = norms > 0 ? dot / norms : 0.0;
      margins.table_.push_back(make_margin(strength * kind.margin(cosine, dot)));
    }
  }
  return margins;
}

}  // namespace evenkeel::loss
