// In: dot products of a batch, with the branch weights as one more item row (w_user) and one more
// user row (w_item), so that both branches are dot products like any other. Out: MACR's loss.
#include "loss/macr.h"

#include <cmath>

#include "loss/formulas.h"

namespace evenkeel::loss {
namespace {

using formulas::sigmoid;
using formulas::softplus;

class Macr final : public BatchLoss {
 public:
  Macr(double alpha, double beta, std::size_t users, std::size_t items)
      : alpha_(alpha),
        beta_(beta),
        w_item_(static_cast<Row>(users)),
        w_user_(static_cast<Row>(items)) {}

  Layout layout() const override { return {.lines = 2, .width = 3}; }

  // Line 0: the user with item, negative and w_user; line 1: w_item with item and negative.
  void place(Pair positive, Row negative, std::span<Row> users,
             std::span<Row> items) const override {
    users[0] = positive.user;
    users[1] = w_item_;
    for (const std::size_t line : {std::size_t{0}, std::size_t{3}}) {
      items[line] = positive.item;
      items[line + 1] = negative;
      items[line + 2] = w_user_;
    }
  }

  double compute(std::size_t samples, std::span<const Row>, const Matrix&, float* dots) override {
    double total = 0;
    for (std::size_t b = 0; b < samples; ++b) total += one(dots + 6 * b);
    return total;
  }

 private:
  // BCE of the fused score of both items, of the item branch and of the user branch (both labels).
  double one(float* d) const {
    const double y_user = d[2], user = sigmoid(y_user);
    double d_user = beta_ * (sigmoid(y_user) - sigmoid(-y_user));
    double loss = beta_ * (softplus(-y_user) + softplus(y_user));
    for (const int k : {0, 1}) {
      const double sign = k == 0 ? -1 : 1;  // the positive wants a high score, the negative a low
      const double s = d[k], y_item = d[3 + k], item = sigmoid(y_item);
      const double fused = s * item * user;
      const double d_fused = sign * sigmoid(sign * fused);
      loss += softplus(sign * fused) + alpha_ * softplus(sign * y_item);
      d_user += d_fused * s * item * user * (1 - user);
      d[k] = static_cast<float>(d_fused * item * user);
      d[3 + k] = static_cast<float>(d_fused * s * user * item * (1 - item) +
                                    alpha_ * sign * sigmoid(sign * y_item));
    }
    d[2] = static_cast<float>(d_user);
    d[5] = 0;
    return loss;
  }

  double alpha_, beta_;
  Row w_item_, w_user_;
};

// (s_ui - c) sigmoid(y_i) sigmoid(y_u) as one dot product: one dimension more holds -c.
RankingVectors counterfactual(const Matrix& users, const Matrix& items, ExtraRows extra, double c) {
  const std::size_t dim = users.dim();
  const std::size_t user_rows = users.rows() - extra.users, item_rows = items.rows() - extra.items;
  const auto branch = [&](std::span<const float> row, std::span<const float> weight) {
    double y = 0;
    for (std::size_t k = 0; k < dim; ++k) y += double{row[k]} * double{weight[k]};
    return sigmoid(y);
  };
  RankingVectors out{Matrix(user_rows, dim + 1), Matrix(item_rows, dim + 1)};
  const auto fill = [&](const Matrix& from, std::span<const float> weight, double last,
                        Matrix& to) {
    for (std::size_t r = 0; r < to.rows(); ++r) {
      const double factor = branch(from.values(r), weight);
      for (std::size_t k = 0; k < dim; ++k) {
        to.row(r)[k] = static_cast<float>(factor * double{from.row(r)[k]});
      }
      to.row(r)[dim] = static_cast<float>(factor * last);
    }
  };
  fill(users, items.values(item_rows), 1.0, out.users);
  fill(items, users.values(user_rows), -c, out.items);
  return out;
}

}  // namespace

LossEntry macr_entry() {
  return {.name = "macr",
          .description = "score, item branch and user branch; ranks by the counterfactual score",
          .reference = "Wei et al., Model-Agnostic Counterfactual Reasoning, 2021",
          .fields = {{"macr-alpha", 1e-3, "weight of the item branch", 0.0, 100.0},
                     {"macr-beta", 1e-3, "weight of the user branch", 0.0, 100.0},
                     {"macr-c", -1.0, "c of the ranking (below 0: chosen on validation, 0 to 50)",
                      -1.0, 1e6}},
          .negatives = "1",
          .similarity = Similarity::kDot,
          .make_batch = [](const Settings& settings,
                           const LossInputs& inputs) -> std::unique_ptr<BatchLoss> {
            return std::make_unique<Macr>(
                settings.number("macr-alpha"), settings.number("macr-beta"),
                inputs.user_popularity.size(), inputs.item_popularity.size());
          },
          .extra_rows =
              [](const Settings&, std::size_t) {
                return ExtraRows{1, 1};
              },
          .ranking = {.vectors = counterfactual, .option = "macr-c", .most = 50}};
}

}  // namespace evenkeel::loss
