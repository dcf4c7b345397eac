// The table of losses. In: a name and settings; out: a loss, or the nearest name that exists.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/matrix.h"
#include "base/settings.h"
#include "data/csr.h"
#include "loss/batch_loss.h"
#include "loss/loss.h"
#include "loss/margin.h"

namespace evenkeel::loss {

// What a loss may ask for besides its own options.
struct LossInputs {
  std::span<const std::uint32_t> user_popularity, item_popularity;
  const Margins* margins = nullptr;     // present if the entry uses margins
  const data::Csr* users_of = nullptr;  // training pairs by item
  std::uint64_t seed = 1;
};

struct RankingVectors {
  Matrix users, items;
};

// How a method ranks where it is not simply by its vectors. The result ranks by dot product.
struct RankingRule {
  RankingVectors (*vectors)(const Matrix& users, const Matrix& items, ExtraRows extra,
                            double parameter) = nullptr;
  std::string_view option = {};  // the parameter; below 0: chosen on validation from 0..most
  int most = 0;
};

struct LossEntry {
  std::string_view name, description, reference;
  std::vector<Field> fields = {};  // the options that only matter to this loss
  std::string_view negatives;      // default of --negatives
  Similarity similarity;           // and so the default of --score
  // Where an option that is shared with other losses has another default here.
  std::vector<std::pair<std::string_view, Value>> defaults = {};
  bool uses_margins = false;
  // s / tau of a trained pair tends to log P(i|u): tau is the temperature of its cosines.
  bool calibrated = false;
  bool reads_users_of = false;  // LossInputs::users_of must be there
  bool counts_draws = false;    // negatives are random draws in their order: a number of them
  // One of the two; neither: the loss ranks without training (most-pop).
  std::unique_ptr<Loss> (*make)(const Settings&, const LossInputs&) = nullptr;
  std::unique_ptr<BatchLoss> (*make_batch)(const Settings&, const LossInputs&) = nullptr;
  ExtraRows (*extra_rows)(const Settings&, std::size_t items) = nullptr;
  RankingRule ranking = {};

  bool trains() const { return make != nullptr || make_batch != nullptr; }
};

std::span<const LossEntry> losses();
const LossEntry& find_loss(std::string_view name);

}  // namespace evenkeel::loss
