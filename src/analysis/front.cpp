// In: a model that remembers its tests. Out: its front, point by point.
#include "analysis/front.h"

#include <algorithm>

#include "base/error.h"
#include "data/statistics.h"
#include "eval/goals.h"
#include "model/model_data.h"
#include "rank/correction.h"
#include "rank/dial.h"

namespace evenkeel::analysis {
namespace {

// One model on its own parts, at any strength of a curve.
class CurveEvaluator {
 public:
  CurveEvaluator(const model::Model& model, const FrontCurve& curve, Threads& threads)
      : model_(model),
        curve_(curve),
        data_(model::dataset_of(model)),
        inputs_(model.item_popularity),
        threads_(threads) {}

  eval::Evaluation at(const std::string& part, double strength, bool per_user) const {
    const bool reranks = curve_.reranker.entry != nullptr;
    rank::RerankAsk ask = curve_.reranker;
    ask.strength = strength;
    const rank::Reranking reranking(ask, inputs_);
    const rank::RerankRule rule(reranking, model_.known, rank::kDialK, threads_.count());
    const rank::ModelRanking ranking(model_, reranks ? 0 : strength, threads_);
    return eval::evaluate_part(ranking.view(), data_, front_part(data_, part),
                               {rank::kDialK, false, per_user}, threads_, rule.rule());
  }

 private:
  const model::Model& model_;
  const FrontCurve& curve_;
  data::Dataset data_;
  rank::RerankInputs inputs_;
  Threads& threads_;
};

}  // namespace

const data::Part& front_part(const data::Dataset& data, const std::string& name) {
  if (name == data.valid.name) return data.valid;
  for (const data::Part& test : data.tests) {
    if (test.name == name) return test;
  }
  fail_data("{}: has no part '{}'; fronts compare runs with the same tests", data.name, name);
}

FrontAxes front_axes(const data::Dataset& data) {
  const data::PartStatistics *logged = nullptr, *alike = nullptr, *most = nullptr;
  const data::Statistics statistics = data::make_statistics(data);
  for (const data::PartStatistics& part : statistics.parts) {
    const auto test = std::find_if(data.tests.begin(), data.tests.end(),
                                   [&](const data::Part& one) { return one.name == part.name; });
    if (test == data.tests.end() || part.interactions == 0) continue;
    if (most == nullptr || part.dkl_grouped > most->dkl_grouped) most = &part;
    if (eval::shows_items_alike(data, *test)) {
      if (alike == nullptr || part.dkl_grouped < alike->dkl_grouped) alike = &part;
    } else if (logged == nullptr || part.dkl_grouped > logged->dkl_grouped) {
      logged = &part;
    }
  }
  const bool validates = data.valid.interactions() > 0;
  if (alike != nullptr) {
    if (logged != nullptr) return {logged->name, alike->name, false};
    if (validates) return {data.valid.name, alike->name, false};
    if (most != alike) return {most->name, alike->name, false};
  } else if (logged != nullptr) {
    return {logged->name, logged->name, true};
  } else if (validates) {
    return {data.valid.name, data.valid.name, true};
  }
  fail_data("{}: a front needs a test or a validation part that is like the log; this run has none",
            data.name);
}

std::span<const double> FrontCurve::strengths() const {
  return reranker.entry != nullptr ? reranker.entry->strengths : rank::dial_strengths();
}

Front trace_front(const model::Model& model, const FrontAxes& axes, const FrontCurve& curve,
                  Threads& threads) {
  Front front;
  model::Model known = model;  // so that an unknown temperature is fitted once
  if (curve.reranker.entry == nullptr) known.temperature = rank::need_temperature(model, threads);
  const CurveEvaluator evaluator(known, curve, threads);
  for (const double strength : curve.strengths()) {
    const eval::Evaluation logged = evaluator.at(axes.logged, strength, false);
    FrontPoint point{strength, logged.overall.recall, logged.balanced, logged.overall.ndcg, 0};
    if (!axes.estimated) {
      const eval::Evaluation balanced = evaluator.at(axes.balanced, strength, false);
      point.balanced = balanced.overall.recall;
      point.balanced_ndcg = balanced.overall.ndcg;
    }
    front.points.push_back(point);
  }
  front.area = area_under(front.points);
  return front;
}

double area_under(std::span<const FrontPoint> points) {
  std::vector<FrontPoint> sorted(points.begin(), points.end());
  std::sort(sorted.begin(), sorted.end(), [](const FrontPoint& a, const FrontPoint& b) {
    return a.logged != b.logged ? a.logged > b.logged : a.balanced > b.balanced;
  });
  // From the right: only what rises towards the left is not dominated.
  std::vector<FrontPoint> kept;
  for (const FrontPoint& point : sorted) {
    if (kept.empty() || point.balanced > kept.back().balanced) kept.push_back(point);
  }
  double area = 0;
  for (std::size_t i = 0; i + 1 < kept.size(); ++i) {
    area += (kept[i].logged - kept[i + 1].logged) * (kept[i].balanced + kept[i + 1].balanced) / 2;
  }
  if (!kept.empty()) area += kept.back().logged * kept.back().balanced;
  return area;
}

std::optional<double> strength_at(std::span<const FrontPoint> points, double logged) {
  std::size_t last = points.size();
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].logged >= logged) last = i;
  }
  if (last == points.size()) return std::nullopt;
  if (last + 1 == points.size()) return points[last].debias;
  const FrontPoint &a = points[last], &b = points[last + 1];
  const double share = (a.logged - logged) / (a.logged - b.logged);
  return a.debias + share * (b.debias - a.debias);
}

eval::Evaluation at_strength(const model::Model& model, const std::string& part,
                             const FrontCurve& curve, double strength, Threads& threads) {
  return CurveEvaluator(model, curve, threads).at(part, strength, true);
}

}  // namespace evenkeel::analysis
