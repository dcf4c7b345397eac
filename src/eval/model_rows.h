// Any data in the rows of a model. In: a data set with its own numbering; out: the same parts in
// the model's, whose ids rule, with the model's training pairs and popularity.
#pragma once

#include "data/dataset.h"
#include "model/model.h"

namespace evenkeel::eval {

struct LeftOut {
  std::size_t users = 0;         // with validation or test items, unknown to the model
  std::size_t interactions = 0;  // of known users, with items unknown to the model
};

data::Dataset in_model_rows(const data::Dataset& data, const model::Model& model,
                            LeftOut& left_out);

}  // namespace evenkeel::eval
