// In: vectors once, then users. Out: their lists, block by block, on all threads.
#include "eval/ranker.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace evenkeel::eval {

void inverse_norms(const Matrix& rows, std::vector<float>& out, Threads& threads) {
  out.resize(rows.rows());
  threads.for_chunks(rows.rows(), 1024, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t r = begin; r < end; ++r) {
      double square = 0;
      for (const float value : rows.values(r)) square += double{value} * value;
      // Below the smallest float the inverse would overflow: such a row counts as zero.
      const double inverse = square > 0 ? 1.0 / std::sqrt(square) : 0.0;
      out[r] = std::isfinite(static_cast<float>(inverse)) ? static_cast<float>(inverse) : 0.0F;
    }
  });
}

void Ranker::prepare(const VectorView& view, Threads& threads) {
  EVENKEEL_CHECK(view.users.dim() == view.items.dim());
  users_ = &view.users;
  user_scale_.clear();
  item_scale_.clear();
  if (view.score == model::Score::kCosine) {
    inverse_norms(view.users, user_scale_, threads);
    inverse_norms(view.items, item_scale_, threads);
  }
  panels_.pack(view.items, item_scale_, threads);
  const std::size_t padded = panels_.count() * kernels::ItemPanels::kWidth;
  if (restricted_ && added_.size() != padded) {
    added_.assign(padded, -std::numeric_limits<float>::infinity());
    for (const Row item : listed_) added_[item] = 0;
  }
}

void Ranker::release() {
  users_ = nullptr;
  panels_ = kernels::ItemPanels();
  user_scale_ = std::vector<float>();
  item_scale_ = std::vector<float>();
}

void Ranker::restrict_to(std::span<const Row> items) {
  restricted_ = true;
  listed_.assign(items.begin(), items.end());
  added_.clear();
}

void Ranker::rank(std::span<const Row> users, const data::Csr* masked, std::size_t k,
                  Threads& threads, Visit visit) {
  EVENKEEL_CHECK(users_ != nullptr && k > 0);
  k = std::min(k, std::max<std::size_t>(panels_.items(), 1));
  if (workers_.size() < static_cast<std::size_t>(threads.count())) {
    workers_.resize(static_cast<std::size_t>(threads.count()));
  }
  const std::size_t blocks = (users.size() + kBlock - 1) / kBlock;
  threads.for_chunks(blocks, 1, [&](std::size_t begin, std::size_t end, int number) {
    Worker& worker = workers_[static_cast<std::size_t>(number)];
    for (std::size_t b = begin; b < end; ++b) {
      const std::size_t first = b * kBlock;
      const std::size_t count = std::min(kBlock, users.size() - first);
      if (worker.lists.size() < count * k) worker.lists.resize(count * k);
      if (worker.counts.size() < count) worker.counts.resize(kBlock);
      worker.masked.clear();
      for (std::size_t u = 0; masked != nullptr && u < count; ++u) {
        worker.masked.push_back(masked->row(users[first + u]));
      }
      kernels::RankBlock block;
      block.vectors = users_;
      block.rows = users.subspan(first, count);
      block.scale = user_scale_;
      block.masked = worker.masked;
      block.k = k;
      block.added = added_;
      kernels::rank_block(panels_, block, worker.scratch, worker.lists, worker.counts);
      for (std::size_t u = 0; u < count; ++u) {
        visit(first + u, {worker.lists.data() + u * k, worker.counts[u]}, number);
      }
    }
  });
}

}  // namespace evenkeel::eval
