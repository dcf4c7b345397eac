// Where gradients of rows go. In: a block of rows with their gradients; out: whatever the consumer
// does with them (an optimizer moves a table, a graph encoder stores them for its backward pass).
#pragma once

#include <cstddef>
#include <span>

#include "base/types.h"

namespace evenkeel {

struct RowGradients {
  std::span<const Row> rows;
  const float* gradients = nullptr;  // one padded row each
  std::size_t stride = 0;
  const float* decay = nullptr;  // L2: the gradient gains decay[k] * row k of the table
};

class RowConsumer {
 public:
  virtual ~RowConsumer() = default;
  // Called by several threads at once, never twice for one row in a step.
  virtual void consume(const RowGradients& block) = 0;
  virtual void prefetch(Row) const {}  // the row comes soon
};

}  // namespace evenkeel
