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

std::vector<std::uint32_t> distinct(std::span<const std::uint32_t> popularity) {
  std::vector<std::uint32_t> values(popularity.begin(), popularity.end());
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// values: the least count of each class.
PopularityClasses classes_from(std::span<const std::uint32_t> popularity,
                               std::vector<std::uint32_t> values) {
  PopularityClasses classes{{}, std::move(values)};
  classes.of_row.reserve(popularity.size());
  for (const std::uint32_t count : popularity) {
    const auto next = std::upper_bound(classes.values.begin(), classes.values.end(), count);
    classes.of_row.push_back(static_cast<std::uint32_t>(next - classes.values.begin() - 1));
  }
  return classes;
}

double product(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += double{a[c]} * double{b[c]};
  return sum;
}

// [component][row]: the products of one vector with all rows then run along memory.
std::vector<double> turned(const Matrix& vectors) {
  std::vector<double> columns(vectors.rows() * vectors.dim());
  for (std::size_t r = 0; r < vectors.rows(); ++r) {
    for (std::size_t c = 0; c < vectors.dim(); ++c) {
      columns[c * vectors.rows() + r] = double{vectors.row(r)[c]};
    }
  }
  return columns;
}

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
  return classes_from(popularity, distinct(popularity));
}

PopularityClasses merged_classes(std::span<const std::uint32_t> popularity) {
  std::vector<std::uint32_t> values = distinct(popularity);
  if (values.size() <= kMostClasses) return classes_from(popularity, std::move(values));
  const double first = std::log1p(values.front());
  const double width = (std::log1p(values.back()) - first) / kMostClasses;
  const auto bin = [&](std::uint32_t count) {
    return std::min(static_cast<std::size_t>((std::log1p(count) - first) / width),
                    kMostClasses - 1);
  };
  const auto same = [&](std::uint32_t a, std::uint32_t b) { return bin(a) == bin(b); };
  values.erase(std::unique(values.begin(), values.end(), same), values.end());
  return classes_from(popularity, std::move(values));
}

std::optional<PopularityClasses> classes_of_table(std::span<const std::uint32_t> popularity,
                                                  std::size_t rows) {
  PopularityClasses classes = merged_classes(popularity);
  if (classes.values.size() != rows) classes = popularity_classes(popularity);
  if (classes.values.size() != rows) return std::nullopt;
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
                              const Matrix& item_vectors, Threads* threads) {
  EVENKEEL_CHECK(user_vectors.rows() == users.values.size());
  EVENKEEL_CHECK(item_vectors.rows() == items.values.size());
  const std::size_t classes = item_vectors.rows();
  const std::vector<double> columns = turned(item_vectors);
  std::vector<double> norms;
  for (std::size_t i = 0; i < classes; ++i) {
    norms.push_back(std::sqrt(product(item_vectors.values(i), item_vectors.values(i))));
  }
  Margins margins;
  margins.user_class_ = std::move(users.of_row);
  margins.item_class_ = std::move(items.of_row);
  margins.item_classes_ = classes;
  margins.table_.resize(user_vectors.rows() * classes);
  const auto fill = [&](std::size_t begin, std::size_t end, int) {
    std::vector<double> dots(classes);
    for (std::size_t u = begin; u < end; ++u) {
      const auto user = user_vectors.values(u);
      const double norm = std::sqrt(product(user, user));
      std::fill(dots.begin(), dots.end(), 0.0);
      for (std::size_t c = 0; c < user.size(); ++c) {
        const double value = double{user[c]};
        const double* column = columns.data() + c * classes;
        for (std::size_t i = 0; i < classes; ++i) dots[i] += value * column[i];
      }
      for (std::size_t i = 0; i < classes; ++i) {
        const double both = norm * norms[i];
        const double cosine = both > 0 ? dots[i] / both : 0.0;
        margins.table_[u * classes + i] = make_margin(strength * kind.margin(cosine, dots[i]));
      }
    }
  };
  constexpr std::size_t kGrain = 16;
  if (threads == nullptr) fill(0, user_vectors.rows(), 0);
  if (threads != nullptr) threads->for_chunks(user_vectors.rows(), kGrain, fill);
  return margins;
}

}  // namespace evenkeel::loss
