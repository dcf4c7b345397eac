// Ranks every item for many users. In: ranking vectors and masks; out: each user's best items, the
// same at any thread count.
#pragma once

#include <span>
#include <vector>

#include "base/function_ref.h"
#include "base/matrix.h"
#include "base/threads.h"
#include "data/csr.h"
#include "kernels/topk.h"
#include "model/model.h"

namespace evenkeel::eval {

struct VectorView {
  const Matrix& users;
  const Matrix& items;
  model::Score score = model::Score::kCosine;
};

// 1 / norm of every row, 0 for a zero row: then its cosine with anything is 0.
void inverse_norms(const Matrix& rows, std::vector<float>& out, Threads& threads);

class Ranker {
 public:
  static constexpr std::size_t kBlock = 192;  // users a kernel call; one worker takes a whole block

  // Packs the items. The view's tables must live until the last rank(); memory is reused when the
  // next view has the same shape.
  void prepare(const VectorView& view, Threads& threads);

  // Gives back what prepare() made; it is called again before the next rank().
  void release();

  // From now on only these items (ascending) are listed.
  void restrict_to(std::span<const Row> items);

  // visit(index, list, worker) for each position of `users`; blocks of kBlock positions run in
  // parallel, the positions of one block in order on one worker. `masked`, by user row, may be
  // null.
  using Visit = FunctionRef<void(std::size_t, std::span<const kernels::Ranked>, int)>;
  void rank(std::span<const Row> users, const data::Csr* masked, std::size_t k, Threads& threads,
            Visit visit);

  std::size_t items() const { return panels_.items(); }

 private:
  struct Worker {
    kernels::TopKScratch scratch;
    std::vector<kernels::Ranked> lists;
    std::vector<std::uint32_t> counts;
    std::vector<std::span<const Row>> masked;
  };
  const Matrix* users_ = nullptr;
  kernels::ItemPanels panels_;
  std::vector<float> user_scale_, item_scale_;  // empty for dot
  bool restricted_ = false;
  std::vector<Row> listed_;
  std::vector<float> added_;  // to scores: minus infinity for what is not listed
  std::vector<Worker> workers_;
};

}  // namespace evenkeel::eval
