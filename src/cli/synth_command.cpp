// In: sizes and a bias. Out: the folder of a synthetic market.
#include <memory>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/option_binding.h"
#include "cli/run_folder.h"
#include "cli/table.h"
#include "data/synthetic.h"

namespace evenkeel::cli {
namespace {

struct Options {
  Options() : bound(fields()) {}
  static Settings fields() {
    Settings settings(data::market_fields());
    const Field more[] = {threads_field()};
    settings.add(more);
    return settings;
  }
  BoundOptions bound;
  std::string folder;
};

int synth_command(const Options& options) {
  const Settings settings = options.bound.resolve();
  Threads threads(static_cast<int>(settings.integer("threads")));
  const data::Market market = data::make_market(data::market_options(settings), threads);
  data::write_market(options.folder, market);
  const data::Parts& parts = market.parts;
  Table table({"part", "interactions"});
  table.add({"train", grouped_digits(parts.train.size())});
  table.add({"valid", grouped_digits(parts.valid.size())});
  for (const data::NamedPairs& test : parts.tests) {
    table.add({test.name, grouped_digits(test.pairs.size())});
  }
  out("{}", table.text());
  say("evenkeel: wrote {} ({} users, {} items); next, try: evenkeel train {} --out run",
      options.folder, grouped_digits(parts.users.size()), grouped_digits(parts.items.size()),
      options.folder);
  return 0;
}

}  // namespace

Action add_synth(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("-o,--out", options->folder, "folder to write")->required()->type_name("DIR");
  options->bound.add_to(app, "Settings");
  return [options] { return synth_command(*options); };
}

}  // namespace evenkeel::cli
