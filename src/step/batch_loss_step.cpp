// In: positives. Out: their loss, and both tables one step further.
#include "step/batch_loss_step.h"

#include <algorithm>
#include <utility>

#include "kernels/rows.h"

namespace evenkeel::step {
namespace {

constexpr std::size_t kGrain = 64;

}  // namespace

BatchLossStep::BatchLossStep(const rows::StepParts& parts, loss::BatchLoss& loss,
                             sampler::RandomNegatives negatives, std::size_t batch, double l2,
                             std::optional<sampler::SimilarNegatives> similar)
    : loss_(loss),
      negatives_(negatives),
      similar_(std::move(similar)),
      draws_(static_cast<std::size_t>(parts.threads.count()), negatives.scratch(1)),
      layout_(loss.layout()),
      slots_(layout_.lines * layout_.width),
      rows_(parts, loss::Similarity::kDot, batch * layout_.lines, batch * slots_, l2),
      drawn_(batch),
      users_(batch * layout_.lines),
      items_(batch * slots_),
      dots_(batch * slots_),
      gather_(static_cast<std::size_t>(parts.threads.count())),
      old_users_(batch * layout_.lines, parts.encoder.table(Side::kUser).dim()),
      old_items_(batch * slots_, parts.encoder.table(Side::kItem).dim()) {
  for (Gather& gather : gather_) {
    gather.ids.resize(batch * slots_);
    gather.weights.resize(batch * slots_);
  }
}

StepResult BatchLossStep::run(std::span<const Pair> positives, std::size_t first) {
  draw(positives, first);
  return step(positives, std::span<const Row>(drawn_).first(positives.size()));
}

void BatchLossStep::draw(std::span<const Pair> positives, std::size_t first) {
  const auto one = [&](std::size_t b, int worker) {
    sampler::RandomNegatives::Scratch& scratch = draws_[static_cast<std::size_t>(worker)];
    if (similar_) {
      drawn_[b] = similar_->draw(positives[b], first + b, scratch);
    } else {
      negatives_.draw(positives[b].user, first + b, std::span(drawn_).subspan(b, 1), scratch);
    }
  };
  rows_.threads().for_chunks(positives.size(), kGrain,
                             [&](std::size_t begin, std::size_t end, int worker) {
                               for (std::size_t b = begin; b < end; ++b) {
                                 negatives_.prefetch(positives, b, end);
                                 one(b, worker);
                               }
                             });
}

StepResult BatchLossStep::step(std::span<const Pair> positives, std::span<const Row> negatives) {
  const std::size_t samples = positives.size(), lines = samples * layout_.lines;
  for (std::size_t b = 0; b < samples; ++b) {
    loss_.place(positives[b], negatives[b],
                std::span(users_).subspan(b * layout_.lines, layout_.lines),
                std::span(items_).subspan(b * slots_, slots_));
  }
  rows_.gather(std::span<const Row>(users_).first(lines),
               std::span<const Row>(items_).first(samples * slots_));
  const Matrix& item_vectors = rows_.vectors(Side::kItem);
  rows_.threads().for_chunks(lines, kGrain, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t line = begin; line < end; ++line) {
      rows_.compared(Side::kUser, {&users_[line], 1}, old_users_.row(line));
      const Row* ids = items_.data() + line * layout_.width;
      kernels::gather_dots(old_users_.row(line), item_vectors.data(), item_vectors.stride(), ids,
                           layout_.width, nullptr, dots_.data() + line * layout_.width);
      rows_.compared(Side::kItem, {ids, layout_.width}, old_items_.row(line * layout_.width));
    }
  });
  const double loss = loss_.compute(samples, std::span<const Row>(items_).first(samples * slots_),
                                    item_vectors, dots_.data());
  update(samples);
  return {loss, samples, 0};
}

void BatchLossStep::update(std::size_t samples) {
  rows_.update(
      samples,
      [&](std::span<const std::uint32_t> lines, int worker, float* gradient) {
        return sum_user(lines, gather_[static_cast<std::size_t>(worker)], gradient);
      },
      [&](std::span<const std::uint32_t> entries, int worker, float* gradient) {
        return sum_item(entries, gather_[static_cast<std::size_t>(worker)], gradient);
      });
}

std::size_t BatchLossStep::sum_user(std::span<const std::uint32_t> lines, Gather& gather,
                                    float* gradient) {
  std::size_t places = 0, own = 0;
  for (const std::uint32_t line : lines) {
    own += line % layout_.lines == 0 ? 1 : 0;
    for (std::size_t k = 0; k < layout_.width; ++k, ++places) {
      const std::size_t place = line * layout_.width + k;
      gather.ids[places] = static_cast<Row>(place);
      gather.weights[places] = dots_[place];
    }
  }
  kernels::gather_sum(old_items_.data(), rows_.stride(), gather.ids.data(), gather.weights.data(),
                      places, nullptr, gradient);
  return own;
}

std::size_t BatchLossStep::sum_item(std::span<const std::uint32_t> entries, Gather& gather,
                                    float* gradient) {
  std::size_t own = 0, paired = 0, pair = 0;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const std::size_t slot = entries[k] % slots_;
    own += slot < 2 ? 1 : 0;
    if (loss_.partner(slot) != slot) {
      ++paired;
      pair = entries[k];
    }
    gather.ids[k] = static_cast<Row>(entries[k] / layout_.width);
    gather.weights[k] = dots_[entries[k]];
  }
  kernels::gather_sum(old_users_.data(), rows_.stride(), gather.ids.data(), gather.weights.data(),
                      entries.size(), nullptr, gradient);
  if (paired > 0) {  // rows as they were: the partner's may have moved already
    const std::size_t slot = pair % slots_;
    loss_.add_pair_term(old_items_.values(pair),
                        old_items_.values(pair - slot + loss_.partner(slot)), paired, gradient);
  }
  return own;
}

}  // namespace evenkeel::step
