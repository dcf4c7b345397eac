// Popularity correction of a ranking. In: vectors, training counts, a strength G and a temperature
// T; out: vectors whose dot product is s(u,i) / T - G log((p_i + 1) / (mean p + 1)), so that every
// list, metric and export works on them unchanged (docs/methods.md, section 8).
#pragma once

#include <optional>
#include <span>

#include "base/threads.h"
#include "eval/ranker.h"
#include "model/model.h"

namespace evenkeel::rank {

struct Correction {
  double strength = 0;     // G: 0 as logged, 1 the log's prior removed
  double temperature = 0;  // T: turns s into the logarithm of a probability
};

struct CorrectedVectors {
  Matrix users, items;  // one dimension more than what they were made from
  eval::VectorView view() const { return {users, items, model::Score::kDot}; }
};

CorrectedVectors corrected(const eval::VectorView& vectors,
                           std::span<const std::uint32_t> popularity, const Correction& correction,
                           Threads& threads);

// log((p_i + 1) / (mean p + 1)) of every item: what a strength of 1 takes away.
std::vector<double> log_prior(std::span<const std::uint32_t> popularity);

// Items that are all equally popular keep their order under any strength.
bool evenly_popular(std::span<const std::uint32_t> popularity);

// A strength from 0 to kMostDebias, as a number or as text; anything else is a config error that
// calls it `name`.
double check_debias(double strength, std::string_view name = "--debias");
double parse_debias(std::string_view text, std::string_view name = "--debias");

// The temperature of a model: the one it was stored with, else fitted on its own validation pairs;
// nothing when it has neither.
std::optional<double> temperature_of(const model::Model& model, Threads& threads);
// The same, or a data error that names the remedy.
double need_temperature(const model::Model& model, Threads& threads);

// The vectors by which a model ranks: its own where the strength is 0 (to the bit), corrected ones
// otherwise. The model must outlive it.
class ModelRanking {
 public:
  ModelRanking(const model::Model& model, Threads& threads);  // at the strength it was stored with
  ModelRanking(const model::Model& model, double strength, Threads& threads);

  eval::VectorView view() const;
  Matrix* corrected_users() { return corrected_ ? &corrected_->users : nullptr; }

 private:
  const model::Model& model_;
  std::optional<CorrectedVectors> corrected_;
};

// Makes the corrected vectors the model's own: it then ranks by their dot product, and exports
// them.
void bake_correction(model::Model& model, double strength, Threads& threads);

}  // namespace evenkeel::rank
