// In: a data set. Out: class vectors that minimise the extractor's loss over all training pairs.
#include "train/class_extractor.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/seconds.h"
#include "encoder/encoder.h"
#include "kernels/rows.h"
#include "sampler/registry.h"
#include "train/class_objective.h"

namespace evenkeel::train {
namespace {

// The loss knows directions only, so that rows move on the unit sphere, each by the mean of its
// last gradients over their mean length: Adam with one second moment for each row, which rotations
// leave alone. The step falls in a straight line to zero, and with it ends the training: 200 steps
// leave less loss than 2,000 of plain Adam do (Yelp2018: 4.1155 against 4.1166; the sampled
// extractor 4.1444 after 5 epochs, 4.1307 after 25).
constexpr int kSteps = 200;
constexpr double kFirstStep = 0.32;  // radians
constexpr double kKeep = 0.9;        // of both moments

// One side's vectors on their way.
class MovingRows {
 public:
  MovingRows(std::size_t rows, std::size_t dim, std::uint64_t seed, Side side)
      : unit_(encoder::starting_table(rows, 0, dim, seed, side)),
        moments_(rows, dim),
        squares_(rows, 0.0) {
    for (std::size_t r = 0; r < rows; ++r) normalize(r);
  }

  const Matrix& unit() const { return unit_; }

  void move(const Matrix& gradients, int step, Threads& threads) {
    const double rate = kFirstStep * (1.0 - static_cast<double>(step - 1) / kSteps);
    const double begun = 1.0 - std::pow(kKeep, step);
    threads.for_chunks(unit_.rows(), 64, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t r = begin; r < end; ++r) move_row(r, gradients.row(r), rate, begun);
    });
  }

  // Only directions are learned. The length, which the `sigmoid` margin sees, is the one that a
  // table begins with; 5 epochs of the sampled extractor change it by a few per cent.
  Matrix result() && {
    const auto dim = static_cast<double>(unit_.dim());
    const double length = std::sqrt(2 * dim / (static_cast<double>(unit_.rows()) + dim));
    for (std::size_t r = 0; r < unit_.rows(); ++r) {
      for (float& value : unit_.values(r)) value = static_cast<float>(double{value} * length);
    }
    return std::move(unit_);
  }

 private:
  void normalize(std::size_t r) {
    const double square = double{kernels::dot(unit_.row(r), unit_.row(r), unit_.stride())};
    const auto inverse = static_cast<float>(square > 0 ? 1 / std::sqrt(square) : 0);
    kernels::scale_row(unit_.row(r), unit_.stride(), inverse, unit_.row(r));
  }

  void move_row(std::size_t r, const float* gradient, double rate, double begun) {
    const std::size_t stride = unit_.stride();
    float* moment = moments_.row(r);
    const float along = kernels::dot(gradient, unit_.row(r), stride);
    kernels::scale_row(moment, stride, static_cast<float>(kKeep), moment);
    kernels::add_scaled(gradient, stride, static_cast<float>(1 - kKeep), moment);
    kernels::add_scaled(unit_.row(r), stride, static_cast<float>(kKeep - 1) * along, moment);
    const double length = double{kernels::dot(gradient, gradient, stride)};
    squares_[r] =
        kKeep * squares_[r] + (1 - kKeep) * std::max(0.0, length - double{along} * double{along});
    if (squares_[r] <= 0) return;  // a class without pairs stays where it began
    const double scale = rate / begun / std::sqrt(squares_[r] / begun);
    kernels::add_scaled(moment, stride, static_cast<float>(-scale), unit_.row(r));
    normalize(r);
  }

  Matrix unit_, moments_;
  std::vector<double> squares_;
};

}  // namespace

ExtractorTables train_class_extractor(const ExtractorInputs& inputs) {
  const auto start = std::chrono::steady_clock::now();
  const auto& [data, settings, classes, negatives, seed, threads, observer, stop] = inputs;
  const auto dim = static_cast<std::size_t>(settings.integer("dim"));
  const ClassCounts counts =
      class_counts(data.items_of, classes.users, classes.items,
                   sampler::find_sampler(settings.text("samples")).weight, threads);
  const std::size_t user_classes = classes.users.values.size();
  const std::size_t item_classes = classes.items.values.size();
  ClassObjective objective(counts, dim, settings.number("tau-extractor"),
                           static_cast<double>(negatives), threads);
  MovingRows users(user_classes, dim, seed, Side::kUser);
  MovingRows items(item_classes, dim, seed, Side::kItem);
  ClassGradients gradients{Matrix(user_classes, dim), Matrix(item_classes, dim)};
  double loss = 0;
  for (int step = 1; step <= kSteps; ++step) {
    constexpr int kLossEvery = 20;
    const bool wants_loss = step % kLossEvery == 1 || step == kSteps;
    const double now = objective.evaluate(users.unit(), items.unit(), wants_loss, gradients);
    if (wants_loss) loss = now;
    users.move(gradients.users, step, threads);
    items.move(gradients.items, step, threads);
    observer.on_step({"extractor", 1, 1, static_cast<std::size_t>(step), kSteps, loss});
    if (stop.load(std::memory_order_relaxed)) fail_interrupted_extractor();
  }
  EpochProgress news{.phase = "extractor", .epoch = 1, .epochs = 1};
  news.loss = loss;
  news.seconds = seconds_since(start);
  news.samples_per_second = static_cast<double>(data.interactions()) / news.seconds;
  observer.on_epoch(news);
  return {std::move(users).result(), std::move(items).result()};
}

}  // namespace evenkeel::train
