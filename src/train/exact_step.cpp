// In: positives. Out: their loss, and both tables one step further. Parallel regions follow each
// other with a barrier between: what a region reads, none writes meanwhile.
#include "train/exact_step.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "kernels/rows.h"

namespace evenkeel {
namespace {

constexpr std::size_t kSampleGrain = 128;
constexpr std::size_t kAhead = 8;  // samples whose positives are fetched early

// Samples whose cells one worker takes in turn. Their users, gradients and similarities and the
// items of a bucket stay in L2; fewer samples would read each item's row from L3 more often.
constexpr std::size_t kMostSamples = 512;

std::size_t chunk_samples(std::size_t batch, int workers) {
  const auto team = static_cast<std::size_t>(workers);
  return std::min((batch + team - 1) / team, kMostSamples);
}

}  // namespace

ExactStep::ExactStep(const StepParts& parts, const Loss& loss, RandomNegatives negatives,
                     std::size_t batch, std::size_t per_positive, double l2, RowMaps maps)
    : loss_(loss),
      negatives_(negatives),
      width_(1 + per_positive),
      chunk_(chunk_samples(batch, parts.threads.count())),
      sum_loss_(loss.of_sum()),
      maps_(maps),
      rows_(parts, loss.similarity(), batch, batch * width_, l2,
            {.width = width_,
             .chunk = chunk_ * width_,
             .kept_places = sum_loss_ != nullptr ? 1 : width_}),
      users_(batch),
      items_(batch * width_),
      compared_users_(batch, parts.encoder.table(Side::kUser).dim()),
      user_gradients_(batch, parts.encoder.table(Side::kUser).dim()),
      similarities_(batch * width_),
      lines_(sum_loss_ != nullptr ? 0 : static_cast<std::size_t>(parts.threads.count()) * width_),
      totals_(sum_loss_ != nullptr ? batch : 0),
      losses_(batch),
      capped_(batch) {
  if (batch * width_ >= (std::size_t{1} << 31)) {
    fail_config("--batch {} with {} negatives is too large; lower one of them", batch,
                per_positive);
  }
  for (int worker = 0; worker < parts.threads.count(); ++worker) {
    draws_.push_back(negatives_.scratch(per_positive));
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
                               for (std::size_t b = begin; b < end; ++b) {
                                 negatives_.look_ahead(positives, b, end);
                                 one(b, worker);
                               }
                             });
}

StepResult ExactStep::step(std::size_t samples) {
  rows_.gather(std::span<const Row>(users_).first(samples),
               std::span<const Row>(items_).first(samples * width_));
  rows_.threads().for_chunks(samples, chunk_, [&](std::size_t begin, std::size_t end, int worker) {
    rows_.compared(Side::kUser, std::span<const Row>(users_).subspan(begin, end - begin),
                   compared_users_.row(begin));
    std::fill(user_gradients_.row(begin), user_gradients_.row(end), 0.0F);
    sum_loss_ != nullptr ? one_pass(begin, end) : two_passes(begin, end, worker);
  });
  rows_.update(samples, {user_gradients_.data()}, {compared_users_.data(), similarities_.data()});
  const auto end = static_cast<std::ptrdiff_t>(samples);
  return {std::accumulate(losses_.begin(), losses_.begin() + end, 0.0), samples,
          std::accumulate(capped_.begin(), capped_.begin() + end, std::size_t{0})};
}

// The chunk's cells in turn, each with word of what the next one will read.
template <typename Visit>
void ExactStep::each_cell(std::size_t chunk, Visit visit) const {
  const Matrix& items = rows_.vectors(Side::kItem);
  const Grouping& groups = rows_.item_groups();
  const float* scale = rows_.scale(Side::kItem);
  for (std::size_t bucket = 0; bucket < groups.buckets(); ++bucket) {
    const std::size_t first = bucket * groups.bucket_rows();
    const std::size_t next = std::min(first + groups.bucket_rows(), items.rows());
    visit(kernels::CellTables{items.row(first), items.stride(),
                              scale == nullptr ? nullptr : scale + first, items.row(next),
                              std::min(groups.bucket_rows(), items.rows() - next) * items.stride()},
          groups.cell(chunk, bucket));
  }
}

Sample ExactStep::sample_of(std::size_t b, float positive) const {
  return {.user = users_[b], .item = items_[b * width_], .positive = positive};
}

// Losses and user gradients of some samples, cell by cell: first every similarity, then sums.
void ExactStep::two_passes(std::size_t begin, std::size_t end, int worker) {
  each_cell(begin / chunk_, [&](const kernels::CellTables& tables, const Grouping::Cell& cell) {
    kernels::cell_dots(tables, cell.entries, compared_users_.row(begin),
                       &similarities_[cell.place]);
  });
  for (std::size_t b = begin; b < end; ++b) one_loss(b, worker);
  each_cell(begin / chunk_, [&](const kernels::CellTables& tables, const Grouping::Cell& cell) {
    kernels::cell_sums(tables, cell.entries, &similarities_[cell.place],
                       user_gradients_.row(begin));
  });
}

// The sample's similarities, collected from their cells, become derivatives there.
void ExactStep::one_loss(std::size_t b, int worker) {
  const std::uint32_t* places = rows_.item_groups().places_of(b);
  float* line = lines_.data() + static_cast<std::size_t>(worker) * width_;
  for (std::size_t k = 0; k < width_; ++k) line[k] = similarities_[places[k]];
  Sample sample = sample_of(b, line[0]);
  sample.negatives = sample.d_negatives = line + 1;
  sample.count = sample.unmasked = width_ - 1;
  losses_[b] = loss_.compute(sample);
  line[0] = sample.d_positive;
  for (std::size_t k = 0; k < width_; ++k) similarities_[places[k]] = line[k];
  capped_[b] = sample.capped ? 1 : 0;
}

// The same in one pass over the cells: exponentials take the place of similarities, and what the
// sum of all of them decides, a factor for each sample, is applied afterwards.
void ExactStep::one_pass(std::size_t begin, std::size_t end) {
  std::fill(&totals_[begin], &totals_[begin] + (end - begin), 0.0F);
  each_cell(begin / chunk_, [&](const kernels::CellTables& tables, const Grouping::Cell& cell) {
    kernels::cell_exponentials(tables, cell.entries, compared_users_.row(begin), sum_loss_->tau(),
                               &similarities_[cell.place], &totals_[begin],
                               user_gradients_.row(begin));
  });
  for (std::size_t b = begin; b < end; ++b) {
    if (b + kAhead < end) look_ahead(b + kAhead);
    one_loss_of_sum(b);
  }
}

void ExactStep::look_ahead(std::size_t b) const {
  const Matrix& items = rows_.vectors(Side::kItem);
  const Row item = items_[b * width_];
  __builtin_prefetch(&similarities_[*rows_.item_groups().places_of(b)]);
  prefetch_row(items.row(item), items.stride());
  loss_.look_ahead(users_[b], item);
}

void ExactStep::one_loss_of_sum(std::size_t b) {
  const std::size_t stride = compared_users_.stride();
  float& positive = similarities_[*rows_.item_groups().places_of(b)];
  Sample sample = sample_of(b, positive);
  losses_[b] = sum_loss_->compute_sum(sample, totals_[b]);
  capped_[b] = sample.capped ? 1 : 0;
  positive = sample.d_positive / sample.factor;
  float* gradient = user_gradients_.row(b);
  kernels::scale_row(gradient, stride, sample.factor, gradient);
  kernels::add_scaled(rows_.vectors(Side::kItem).row(sample.item), stride,
                      sample.d_positive * rows_.scale(Side::kItem)[sample.item], gradient);
  kernels::scale_row(compared_users_.row(b), stride, sample.factor, compared_users_.row(b));
}

}  // namespace evenkeel
