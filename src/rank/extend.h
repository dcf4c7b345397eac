// A model that knows what came after its training. In: a model and newer interactions; out: the
// same model with a row for each new user and item, and the new pairs among those that are seen.
#pragma once

#include "base/threads.h"
#include "data/interactions.h"
#include "model/model.h"

namespace evenkeel::rank {

struct Extension {
  std::size_t new_users = 0, new_items = 0;
  std::size_t new_pairs = 0;                     // that the model did not hold yet
  std::size_t known_pairs = 0;                   // that it did, trained or held out
  std::size_t alone_users = 0, alone_items = 0;  // of the new ones: nothing known leads to them
  std::size_t seen_pairs = 0;  // below --min-rating, new to the model: left out of lists
};

// Vectors that were trained stay as they are; new ones are folded in (rank/new_rows.h). Tables that
// a method keeps beside the vectors do not fit more rows and are left out. Rows below --min-rating
// (`seen` of the news) make no new rows. News that name nobody and nothing the model knows are a
// data error, and so are those that only name others.
Extension extend(model::Model& model, const data::Interactions& news, Threads& threads);

}  // namespace evenkeel::rank
