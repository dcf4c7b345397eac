// In: positives. Out: their loss, and both tables one step further. Parallel regions follow each
// other with a barrier between: what a region reads, none writes meanwhile.
#include "train/exact_step.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "kernels/rows.h"

namespace evenkeel {
namespace {

constexpr std::size_t kSampleGrain = 32;

}  // namespace

ExactStep::ExactStep(const StepParts& parts, const Loss& loss, RandomNegatives negatives,
                     std::size_t batch, std::size_t per_positive, double l2, RowMaps maps)
    : loss_(loss),
      negatives_(negatives),
      width_(1 + per_positive),
      maps_(maps),
      rows_(parts, loss.similarity(), batch, batch * width_, l2),
      users_(batch),
      items_(batch * width_),
      compared_users_(batch, parts.encoder.table(Side::kUser).dim()),
      user_gradients_(batch, parts.encoder.table(Side::kUser).dim()),
      similarities_(batch * width_),
      losses_(batch),
      capped_(batch),
      gather_(static_cast<std::size_t>(parts.threads.count())) {
  if (batch * width_ >= (std::size_t{1} << 31)) {
    fail_config("--batch {} with {} negatives is too large; lower one of them", batch,
                per_positive);
  }
  for (int worker = 0; worker < parts.threads.count(); ++worker) {
    draws_.push_back(negatives_.scratch(per_positive));
  }
  for (Gather& gather : gather_) {
    gather.ids.resize(batch * width_);
    gather.weights.resize(batch * width_);
  }
}

StepResult ExactStep::run(std::span<const Pair> positives, std::size_t first) {
  draw(positives, first);
  return step(positives.size());
}

void ExactStep::draw(std::span<const Pair> positives, std::size_t first) {
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
                               for (std::size_t b = begin; b < end; ++b) one(b, worker);
                             });
}

StepResult ExactStep::step(std::size_t samples) {
  rows_.gather(std::span<const Row>(users_).first(samples),
               std::span<const Row>(items_).first(samples * width_));
  rows_.threads().for_chunks(samples, kSampleGrain, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t b = begin; b < end; ++b) one_sample(b);
  });
  update(samples);
  rows_.finish();
  const auto end = static_cast<std::ptrdiff_t>(samples);
  return {std::accumulate(losses_.begin(), losses_.begin() + end, 0.0), samples,
          std::accumulate(capped_.begin(), capped_.begin() + end, std::size_t{0})};
}

// Similarities, loss and the user's gradient, while the sample's rows are in cache.
void ExactStep::one_sample(std::size_t b) {
  const Matrix& items = rows_.vectors(Side::kItem);
  const Row* ids = items_.data() + b * width_;
  float* row = similarities_.data() + b * width_;
  rows_.compared(Side::kUser, users_[b], compared_users_.row(b));
  kernels::gather_dots(compared_users_.row(b), items.data(), items.stride(), ids, width_,
                       rows_.scale(Side::kItem), row);
  Sample sample{.user = users_[b],
                .item = ids[0],
                .positive = row[0],
                .negatives = row + 1,
                .count = width_ - 1,
                .unmasked = width_ - 1,
                .d_negatives = row + 1};
  losses_[b] = loss_.compute(sample);
  row[0] = sample.d_positive;
  capped_[b] = sample.capped ? 1 : 0;
  kernels::gather_sum(items.data(), items.stride(), ids, row, width_, rows_.scale(Side::kItem),
                      user_gradients_.row(b));
}

void ExactStep::update(std::size_t samples) {
  const std::size_t stride = compared_users_.stride();
  // entry / width by one multiplication: exact for 32-bit entries, and a division costs as much as
  // the row itself.
  const std::uint64_t reciprocal = std::numeric_limits<std::uint64_t>::max() / width_ + 1;
  const auto sample_of = [reciprocal](std::uint32_t entry) {
    return static_cast<Row>((static_cast<unsigned __int128>(entry) * reciprocal) >> 64);
  };
  rows_.update(Side::kItem, samples,
               [&](std::span<const std::uint32_t> entries, int worker, float* gradient) {
                 Gather& gather = gather_[static_cast<std::size_t>(worker)];
                 for (std::size_t k = 0; k < entries.size(); ++k) {
                   gather.ids[k] = sample_of(entries[k]);
                   gather.weights[k] = similarities_[entries[k]];
                 }
                 kernels::gather_sum(compared_users_.data(), stride, gather.ids.data(),
                                     gather.weights.data(), entries.size(), nullptr, gradient);
                 return entries.size();
               });
  rows_.update(Side::kUser, samples,
               [&](std::span<const std::uint32_t> entries, int, float* gradient) {
                 kernels::gather_sum(user_gradients_.data(), stride, entries.data(), nullptr,
                                     entries.size(), nullptr, gradient);
                 return entries.size();
               });
}

}  // namespace evenkeel
