// In: DATA. Out: its size, density and the long-tail degree of every part.
#include <memory>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/option_binding.h"
#include "cli/read_summary.h"
#include "cli/run_folder.h"
#include "cli/table.h"
#include "data/load.h"
#include "data/options.h"
#include "data/statistics.h"

namespace evenkeel::cli {
namespace {

struct StatsArguments {
  StatsArguments() : bound(data_settings()) {}
  BoundOptions bound;
  std::string data;
  bool json = false;
};

void print_text(const data::Statistics& statistics) {
  Table sizes({"data", statistics.name});
  sizes.add({"users", grouped_digits(statistics.users)});
  sizes.add({"items", grouped_digits(statistics.items)});
  sizes.add({"interactions", grouped_digits(statistics.interactions)});
  sizes.add({"density", fmt::format("{:.4f} %", 100 * statistics.density)});
  Table parts({"part", "users", "items", "interactions", "D_KL", "D_KL grouped"});
  for (const data::PartStatistics& part : statistics.parts) {
    parts.add({part.name, grouped_digits(part.users), grouped_digits(part.items),
               grouped_digits(part.interactions), fmt::format("{:.3f}", part.dkl),
               fmt::format("{:.3f}", part.dkl_grouped)});
  }
  out("{}\n{}", sizes.text(), parts.text());
}

int stats_command(const StatsArguments& options) {
  const Settings settings = options.bound.resolve();
  refuse_for_folder(options.bound, options.data, {"split", "seed"});
  Threads threads(static_cast<int>(settings.integer("threads")));
  data::LoadReport report;
  const data::Dataset data = data::load_data(options.data, settings, threads, &report);
  const data::Statistics statistics = data::make_statistics(data);
  if (options.json) {
    nlohmann::json answer = data::to_json(statistics);
    answer["read"] = read_json(report);
    out("{}\n", json_text(answer, 2));
    return 0;
  }
  print_text(statistics);
  flush_out();  // before the messages, where both go to one terminal
  say_read(report);
  return 0;
}

}  // namespace

Action add_stats(CLI::App& app) {
  auto options = std::make_shared<StatsArguments>();
  app.add_option("data", options->data, "data folder or interactions file")
      ->required()
      ->type_name("DATA");
  add_json(app, options->json);
  options->bound.add_to(app, "Settings");
  app.footer("D_KL: how far the items' popularity is from uniform, over items and over 50 groups.");
  return [options] { return stats_command(*options); };
}

}  // namespace evenkeel::cli
