// The table of optimizers. In: a name; out: a factory.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/settings.h"
#include "optim/optimizer.h"

namespace evenkeel::optim {

struct OptimizerEntry {
  std::string_view name, description, reference;
  std::vector<Field> fields;
  std::unique_ptr<Optimizer> (*make)(Matrix& table, const Settings& settings);
};

std::span<const OptimizerEntry> optimizers();
const OptimizerEntry& find_optimizer(std::string_view name);

}  // namespace evenkeel::optim
