// The front of a model: what a popularity correction of every strength makes of it, or a reranker.
// In: models and their tests; out: Recall on the test that is like the log against Recall on the
// balanced one, the area below, and who is ahead at equal Recall as logged (docs/methods.md,
// section 8).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/threads.h"
#include "data/dataset.h"
#include "eval/evaluate.h"
#include "model/model.h"
#include "rank/reranking.h"

namespace evenkeel::analysis {

// Which figure stands on which axis.
struct FrontAxes {
  std::string logged;      // the part most like the log
  std::string balanced;    // the test that shows items alike
  bool estimated = false;  // both are one part: its balanced figure is the estimate of the goal
};
// Balanced is the least popular test that shows items alike (eval::shows_items_alike); as logged is
// the most popular of the others, else validation. Where no test shows items alike, the most
// popular one stands on both axes under both goals; without tests, validation does. A data error
// when there is nothing.
FrontAxes front_axes(const data::Dataset& data);

// The part of this name; a data error where there is none.
const data::Part& front_part(const data::Dataset& data, const std::string& name);

// What is turned along a front: the correction, or a reranker of the ranking as logged (the
// strength of the ask is not looked at).
struct FrontCurve {
  rank::RerankAsk reranker = {};
  std::span<const double> strengths() const;  // ascending from 0
};

struct FrontPoint {
  double debias = 0;                          // the strength of what is turned
  double logged = 0, balanced = 0;            // Recall@20
  double logged_ndcg = 0, balanced_ndcg = 0;  // NDCG@20; the second is 0 where it is estimated
};

struct Front {
  std::vector<FrontPoint> points;  // by ascending strength
  double area = 0;
};

Front trace_front(const model::Model& model, const FrontAxes& axes, const FrontCurve& curve,
                  Threads& threads);

// Area that the points dominate, seen from (0, 0): below the upper right hull of the points, with
// straight lines between neighbours, flat to the left of the first.
double area_under(std::span<const FrontPoint> points);

// The strength at which the front comes down to `logged`, between two points in proportion; nothing
// when it never reaches it.
std::optional<double> strength_at(std::span<const FrontPoint> points, double logged);

// Figures of every user on one part at one strength; `part` is one of the axes.
eval::Evaluation at_strength(const model::Model& model, const std::string& part,
                             const FrontCurve& curve, double strength, Threads& threads);

}  // namespace evenkeel::analysis
