// In: dot products of a batch over treatment and control rows. Out: BPR and the penalty
// cf_pen * || normalise(treatment rows) - normalise(control rows) ||_F over the batch's items.
#include "loss/cause.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/rng.h"
#include "loss/formulas.h"

namespace evenkeel::loss {
namespace {

class Cause final : public BatchLoss {
 public:
  Cause(double penalty, const data::Csr& users_of, std::uint64_t seed)
      : penalty_(penalty),
        users_of_(users_of),
        control_(control_samples(users_of, seed)),
        items_(static_cast<Row>(users_of.rows())) {}

  // The pair and its negative, then both items' treatment and control rows for the penalty.
  Layout layout() const override { return {.lines = 1, .width = 6}; }
  std::size_t partner(std::size_t slot) const override { return slot < 2 ? slot : slot ^ 1; }

  void place(Pair positive, Row negative, std::span<Row> users,
             std::span<Row> items) const override {
    const Row shift = is_control(positive) ? items_ : 0;
    users[0] = positive.user;
    items[0] = positive.item + shift;
    items[1] = negative + shift;
    items[2] = positive.item;
    items[3] = positive.item + items_;
    items[4] = negative;
    items[5] = negative + items_;
  }

  double compute(std::size_t samples, std::span<const Row> items, const Matrix& vectors,
                 float* dots) override {
    double bpr = 0, square = 0;
    for (std::size_t b = 0; b < samples; ++b) {
      float* d = dots + 6 * b;
      const double gap = double{d[0]} - double{d[1]};
      bpr += formulas::softplus(-gap);
      d[0] = static_cast<float>(-formulas::sigmoid(-gap));
      d[1] = -d[0];
      std::fill(d + 2, d + 6, 0.0F);
      for (const std::size_t k : {std::size_t{2}, std::size_t{4}}) {
        const Row row = items[6 * b + k];
        square += 2 - 2 * cosine(vectors.values(row), vectors.values(row + items_));
      }
    }
    const double norm = std::sqrt(std::max(square, 0.0));
    const auto n = static_cast<double>(samples);
    pull_ = norm > 0 ? n * penalty_ / norm : 0;
    return bpr + n * penalty_ * norm;
  }

  // d/dt of ||t/|t| - c/|c|||^2 / 2 is -(c^ - (t^ . c^) t^) / |t|, once for each occurrence.
  void add_pair_term(std::span<const float> own, std::span<const float> partner,
                     std::size_t occurrences, float* gradient) const override {
    const double own_norm = std::sqrt(dot(own, own));
    const double partner_norm = std::sqrt(dot(partner, partner));
    if (own_norm <= 0 || partner_norm <= 0) return;
    const double c = cosine(own, partner);
    const double factor = pull_ * static_cast<double>(occurrences) / own_norm;
    for (std::size_t k = 0; k < own.size(); ++k) {
      gradient[k] -= static_cast<float>(
          factor * (double{partner[k]} / partner_norm - c * double{own[k]} / own_norm));
    }
  }

 private:
  bool is_control(Pair pair) const {
    const auto users = users_of_.row(pair.item);
    const auto place = std::lower_bound(users.begin(), users.end(), pair.user);
    if (place == users.end() || *place != pair.user) return false;
    return control_[users_of_.offsets[pair.item] +
                    static_cast<std::uint64_t>(place - users.begin())] != 0;
  }
  static double dot(std::span<const float> a, std::span<const float> b) {
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) sum += double{a[k]} * double{b[k]};
    return sum;
  }
  static double cosine(std::span<const float> a, std::span<const float> b) {
    const double norms = std::sqrt(dot(a, a) * dot(b, b));
    return norms > 0 ? dot(a, b) / norms : 0;
  }

  double penalty_;
  const data::Csr& users_of_;
  std::vector<std::uint8_t> control_;
  Row items_;        // control row = item + items_
  double pull_ = 0;  // of this batch: samples * penalty / norm
};

}  // namespace

std::vector<std::uint8_t> control_samples(const data::Csr& users_of, std::uint64_t seed) {
  const std::size_t wanted = (users_of.size() + 5) / 10;
  const Random random(seed, Purpose::kControl);
  std::vector<std::uint8_t> control(users_of.size(), 0);
  std::size_t taken = 0;
  // Round q gives every item that still has more than one free pair its q-th control pair.
  std::vector<Row> open;
  for (std::size_t i = 0; i < users_of.rows(); ++i) {
    if (users_of.count(i) > 1) open.push_back(static_cast<Row>(i));
  }
  for (std::uint32_t round = 0; taken < wanted && !open.empty(); ++round) {
    std::vector<Row> next;
    for (const Row item : open) {
      if (taken == wanted) break;
      const std::uint64_t begin = users_of.offsets[item];
      const std::size_t count = users_of.count(item);
      std::size_t place = bounded(random.word(item, round), static_cast<std::uint32_t>(count));
      while (control[begin + place] != 0) place = (place + 1) % count;
      control[begin + place] = 1;
      ++taken;
      if (round + 2 < count) next.push_back(item);
    }
    open = std::move(next);
  }
  if (taken == 0) {
    fail_data(
        "loss cause found no interaction for its control set: it needs at least 5 training "
        "interactions and an item with two; use another loss for so small a data set");
  }
  return control;
}

LossEntry cause_entry() {
  return {.name = "cause",
          .description = "BPR with a control item table from samples uniform over items",
          .reference = "Bonner and Vasile, Causal Embeddings for Recommendation, 2018",
          .fields = {{"cf-pen", 0.01, "weight that holds treatment and control together", 0.0, 1e6},
                     {"control-table",
                      std::string("graph"),
                      "under lightgcn: control rows hear the items' neighbours, or no one",
                      0,
                      0,
                      {"graph", "plain"}}},
          .negatives = "1",
          .similarity = Similarity::kDot,
          .reads_users_of = true,
          .make_batch = [](const Settings& settings,
                           const LossInputs& inputs) -> std::unique_ptr<BatchLoss> {
            return std::make_unique<Cause>(settings.number("cf-pen"), *inputs.users_of,
                                           inputs.seed);
          },
          .extra_rows =
              [](const Settings& settings, std::size_t items) {
                return ExtraRows{0, items, settings.text("control-table") == "graph"};
              }};
}

}  // namespace evenkeel::loss
