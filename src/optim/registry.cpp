// The one list of optimizers. In: a name and settings; out: an optimizer of one table.
#include "optim/registry.h"

#include <array>

#include "base/registry.h"
#include "optim/adam.h"

namespace evenkeel::optim {
namespace {

OptimizerEntry adam_entry() {
  return {.name = "adam",
          .description = "Adam (0.9, 0.999, 1e-8); rows without gradient catch up when needed",
          .reference = "Kingma and Ba, Adam: A Method for Stochastic Optimization, 2015",
          .fields = {{"lr", 1e-3,
                      "learning rate (unless given, 2e-3 where a loss has a temperature and --goal "
                      "is logged; half of it with --from)",
                      0.0, 10.0}},
          .make = [](Matrix& table, const Settings& settings) -> std::unique_ptr<Optimizer> {
            return std::make_unique<Adam>(table, settings.number("lr"));
          }};
}

}  // namespace

std::span<const OptimizerEntry> optimizers() {
  static const std::array entries{adam_entry()};
  return entries;
}

const OptimizerEntry& find_optimizer(std::string_view name) {
  return find_entry("optimizer", name, optimizers());
}

}  // namespace evenkeel::optim
