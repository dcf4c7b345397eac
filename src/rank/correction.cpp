// In: vectors and popularity. Out: the same ranking with some popularity taken out.
#include "rank/correction.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "model/model_data.h"
#include "rank/temperature.h"

namespace evenkeel::rank {
namespace {

// These rows of `from`, each times its factor (empty: 1) and `by`, with `last` as one more number.
Matrix longer_rows(const Matrix& from, RowRange held, std::span<const float> factor, double by,
                   FunctionRef<double(std::size_t)> last, Threads& threads) {
  const std::size_t dim = from.dim();
  Matrix to(from.rows(), dim + 1, held);
  threads.for_chunks(held.size(), 1024, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t r = held.begin + begin; r < held.begin + end; ++r) {
      const double scale = factor.empty() ? by : by * double{factor[r]};
      for (std::size_t c = 0; c < dim; ++c) {
        to.row(r)[c] = static_cast<float>(scale * double{from.row(r)[c]});
      }
      to.row(r)[dim] = static_cast<float>(last(r));
    }
  });
  return to;
}

}  // namespace

std::vector<double> log_prior(std::span<const std::uint32_t> popularity) {
  const double total = std::accumulate(popularity.begin(), popularity.end(), 0.0);
  const double mean = total / static_cast<double>(std::max<std::size_t>(popularity.size(), 1));
  std::vector<double> prior(popularity.size());
  for (std::size_t i = 0; i < prior.size(); ++i) {
    prior[i] = std::log((static_cast<double>(popularity[i]) + 1) / (mean + 1));
  }
  return prior;
}

bool evenly_popular(std::span<const std::uint32_t> popularity) {
  return std::adjacent_find(popularity.begin(), popularity.end(), std::not_equal_to<>()) ==
         popularity.end();
}

double check_debias(double strength, std::string_view name) {
  if (strength >= 0 && strength <= model::kMostDebias) return strength;  // not so for a NaN
  fail_config("{} is {}; give a strength from 0 (as logged) to {}, usually below 1", name, strength,
              model::kMostDebias);
}

double parse_debias(std::string_view text, std::string_view name) {
  double strength = -1;
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, strength);
  if (failure != std::errc() || stop != end) {
    fail_config("{} is '{}'; give a strength from 0 (as logged) to {}, usually below 1", name, text,
                model::kMostDebias);
  }
  return check_debias(strength, name);
}

CorrectedVectors corrected(const eval::VectorView& vectors,
                           std::span<const std::uint32_t> popularity, const Correction& correction,
                           Threads& threads) {
  EVENKEEL_CHECK(correction.temperature > 0 && popularity.size() == vectors.items.rows());
  std::vector<float> user_factor, item_factor;
  if (vectors.score == model::Score::kCosine) {
    eval::inverse_norms(vectors.users, user_factor, threads);
    eval::inverse_norms(vectors.items, item_factor, threads);
  }
  const std::vector<double> prior = log_prior(popularity);
  return {longer_rows(
              vectors.users, vectors.users.held(), user_factor, 1 / correction.temperature,
              [](std::size_t) { return 1.0; }, threads),
          longer_rows(
              vectors.items, {0, vectors.items.rows()}, item_factor, 1,
              [&](std::size_t item) { return -correction.strength * prior[item]; }, threads)};
}

std::optional<double> temperature_of(const model::Model& model, Threads& threads) {
  if (model.temperature > 0) return model.temperature;
  const data::Dataset data = model::dataset_of(model);
  return fit_temperature({model.users, model.items, model.score}, data, data.valid, threads);
}

double need_temperature(const model::Model& model, Threads& threads) {
  if (const auto temperature = temperature_of(model, threads)) return *temperature;
  fail_data(
      "the model does not know its temperature and holds no validation pairs to fit it on, so "
      "--debias has no unit; train again with a validation part, or rank with --debias 0");
}

ModelRanking::ModelRanking(const model::Model& model, Threads& threads)
    : ModelRanking(model, model.debias, threads) {}

ModelRanking::ModelRanking(const model::Model& model, double strength, Threads& threads)
    : model_(model) {
  if (check_debias(strength) == 0) return;
  corrected_ = corrected({model.users, model.items, model.score}, model.item_popularity,
                         {strength, need_temperature(model, threads)}, threads);
}

eval::VectorView ModelRanking::view() const {
  return corrected_ ? corrected_->view()
                    : eval::VectorView{model_.users, model_.items, model_.score};
}

void bake_correction(model::Model& model, double strength, Threads& threads) {
  model.debias = 0;
  if (check_debias(strength) == 0) return;
  CorrectedVectors vectors =
      corrected({model.users, model.items, model.score}, model.item_popularity,
                {strength, need_temperature(model, threads)}, threads);
  model.users = std::move(vectors.users);
  model.items = std::move(vectors.items);
  model.score = model::Score::kDot;
  model.temperature = 1;
}

}  // namespace evenkeel::rank
