// In: positives. Out: their loss, and both tables one step further. Parallel regions follow each
// other with a barrier between: what a region reads, none writes meanwhile.
#include "step/own_negatives_step.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/error.h"
#include "kernels/rows.h"
#include "kernels/softmax.h"

namespace evenkeel::step {
namespace {

constexpr std::size_t kSampleGrain = 64;  // their vectors, gradients and derivatives stay in L2

// Samples between whose first and last negative users named once' rows and moments stay in L2, too.
std::size_t slice_of(std::size_t width) {
  return std::clamp<std::size_t>(2048 / width, 1, kSampleGrain);
}

}  // namespace

OwnNegativesStep::OwnNegativesStep(const rows::StepParts& parts, const loss::Loss& loss,
                                   sampler::RandomNegatives negatives, std::size_t batch,
                                   std::size_t per_positive, double l2, RowMaps maps)
    : loss_(loss),
      negatives_(negatives),
      width_(1 + per_positive),
      slice_(slice_of(width_)),
      partition_loss_(loss.partition_loss()),
      maps_(maps),
      rows_(parts, loss.similarity(), batch, batch * width_, l2, {.separate_singletons = true},
            {.width = width_, .weighted = true}),
      users_(batch),
      items_(batch * width_),
      compared_users_(batch, parts.encoder.table(Side::kUser).dim()),
      user_gradients_(batch, parts.encoder.table(Side::kUser).dim()),
      derivatives_(batch * width_),
      totals_(partition_loss_ != nullptr ? batch : 0),
      losses_(batch),
      capped_(batch) {
  if (batch * width_ >= (std::size_t{1} << 31)) {
    fail_config("--batch {} with {} negatives is too large; lower one of them", batch,
                per_positive);
  }
  EVENKEEL_CHECK(!rows_.divides(Side::kItem));  // make_step.cpp says why
  for (int worker = 0; worker < parts.threads.count(); ++worker) {
    draws_.push_back(negatives_.scratch(per_positive));
  }
}

StepResult OwnNegativesStep::run(std::span<const Pair> positives, std::size_t first) {
  draw(positives, first);
  return step(positives.size());
}

void OwnNegativesStep::draw(std::span<const Pair> positives, std::size_t first) {
  const auto one = [&](std::size_t b, int worker) {
    const auto row = items(b);
    users_[b] = positives[b].user;
    row[0] = positives[b].item;
    negatives_.draw(positives[b].user, first + b, row.subspan(1),
                    draws_[static_cast<std::size_t>(worker)]);
    if (maps_.users.empty()) return;
    users_[b] = maps_.users[users_[b]];
    for (Row& item : row) item = maps_.items[item];
  };
  rows_.threads().for_chunks(positives.size(), kSampleGrain,
                             [&](std::size_t begin, std::size_t end, int worker) {
                               for (std::size_t b = begin; b < end; ++b) {
                                 negatives_.prefetch(positives, b, end);
                                 one(b, worker);
                               }
                             });
}

StepResult OwnNegativesStep::step(std::size_t samples) {
  rows_.gather(std::span<const Row>(users_).first(samples),
               std::span<const Row>(items_).first(samples * width_));
  const auto cuts = rows_.cut(samples, kSampleGrain);
  rows_.fetch({{rows::Worked{0, cuts}}}, {}, compared_users_);
  const std::size_t own = cuts[rows_.rank()], own_end = cuts[rows_.rank() + 1];
  const auto set_weights = [&](std::size_t begin, std::size_t end) {
    rows_.set_item_weights(begin, {derivatives(begin), (end - begin) * width_});
  };
  rows_.threads().for_chunks(
      own_end - own, kSampleGrain, [&](std::size_t begin, std::size_t end, int worker) {
        for (std::size_t from = own + begin; from < own + end; from += slice_) {
          slice(from, std::min(own + end, from + slice_), samples, worker);
        }
        if (rows_.alone()) set_weights(begin, end);
      });
  if (!rows_.alone()) {
    share(cuts);
    rows_.threads().for_chunks(samples, kSampleGrain, [&](std::size_t begin, std::size_t end, int) {
      set_weights(begin, end);
    });
  }
  rows_.update(samples, user_sums(), rows::RowUpdate::Sums{compared_users_.data()});
  const auto end = static_cast<std::ptrdiff_t>(samples);
  return {std::accumulate(losses_.begin(), losses_.begin() + end, 0.0), samples,
          std::accumulate(capped_.begin(), capped_.begin() + end, std::size_t{0})};
}

void OwnNegativesStep::share(std::span<const std::size_t> cuts) {
  const std::array shares{cluster::share_of(compared_users_, cuts),
                          cluster::Share{derivatives_.data(), width_ * sizeof(float), cuts},
                          cluster::share_of(std::span(losses_), cuts),
                          cluster::share_of(std::span(capped_), cuts)};
  rows_.return_gradients(user_gradients_.data(), {{rows::Worked{0, cuts}}}, nullptr, {}, shares);
}

// Similarities, losses and user gradients of samples [begin, end); users named once are moved.
void OwnNegativesStep::slice(std::size_t begin, std::size_t end, std::size_t samples, int worker) {
  const std::span<const Row> users(users_), own = users.subspan(begin, end - begin);
  rows_.begin_singletons(Side::kUser, begin, own, worker);
  rows_.compare_users(begin, end, compared_users_);
  partition_loss_ != nullptr ? one_pass(begin, end, samples) : two_passes(begin, end, samples);
  rows_.update_singletons(Side::kUser, begin, own,
                          users.subspan(end, std::min(samples - end, slice_)), samples, user_sums(),
                          worker);
}

loss::Sample OwnNegativesStep::sample_of(std::size_t b, float positive) const {
  return {.user = users_[b], .item = items_[b * width_], .positive = positive};
}

// Every similarity of a sample, its loss, then the user's gradient from rows that are near by now.
void OwnNegativesStep::two_passes(std::size_t begin, std::size_t end, std::size_t samples) {
  const Matrix& items = rows_.vectors(Side::kItem);
  const float* scale = rows_.scale(Side::kItem);
  for (std::size_t b = begin; b < end; ++b) {
    const Row* ids = &items_[b * width_];
    float* line = derivatives(b);
    kernels::gather_dots(compared_users_.row(b), items.data(), items.stride(), ids, width_, scale,
                         line, (samples - b - 1) * width_);
    loss::Sample sample = sample_of(b, line[0]);
    sample.negatives = sample.d_negatives = line + 1;
    sample.count = sample.unmasked = width_ - 1;
    losses_[b] = loss_.compute(sample);
    line[0] = sample.d_positive;
    capped_[b] = sample.capped ? 1 : 0;
    kernels::gather_sum(items.data(), items.stride(), ids, line, width_, scale,
                        user_gradients_.row(b));
  }
}

// Exponentials take the place of derivatives, and what the sum of all of them decides, a factor for
// each sample, is applied to the user's vector and gradient afterwards.
void OwnNegativesStep::one_pass(std::size_t begin, std::size_t end, std::size_t samples) {
  const Matrix& items = rows_.vectors(Side::kItem);
  const float* scale = rows_.scale(Side::kItem);
  for (std::size_t b = begin; b < end; ++b) {
    const Row* ids = &items_[b * width_];
    float* line = derivatives(b);
    loss_.prefetch(users_[b], *ids);
    kernels::gather_dots(compared_users_.row(b), items.data(), items.stride(), ids, 1, scale, line);
    totals_[b] =
        kernels::gather_exponentials(compared_users_.row(b),
                                     {.table = items.data(),
                                      .stride = items.stride(),
                                      .ids = ids + 1,
                                      .count = width_ - 1,
                                      .more = (samples - b - 1) * width_,
                                      .scale = scale},
                                     partition_loss_->tau(), line + 1, user_gradients_.row(b));
  }
  // By themselves: each waits for a division, an exponential and a logarithm, and only its like can
  // fill that time.
  for (std::size_t b = begin; b < end; ++b) finish_sample(b);
}

void OwnNegativesStep::finish_sample(std::size_t b) {
  const std::size_t stride = compared_users_.stride();
  float& positive = *derivatives(b);
  loss::Sample sample = sample_of(b, positive);
  losses_[b] = partition_loss_->compute_from_sum(sample, totals_[b]);
  capped_[b] = sample.capped ? 1 : 0;
  positive = sample.d_positive / sample.factor;
  float* gradient = user_gradients_.row(b);
  kernels::scale_row(gradient, stride, sample.factor, gradient);
  kernels::add_scaled(rows_.vectors(Side::kItem).row(sample.item), stride,
                      sample.d_positive * rows_.scale(Side::kItem)[sample.item], gradient);
  kernels::scale_row(compared_users_.row(b), stride, sample.factor, compared_users_.row(b));
}

}  // namespace evenkeel::step
