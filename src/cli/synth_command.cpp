// In: sizes and a bias. Out: the folder of a synthetic market, or a plain log of any size.
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/seconds.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/option_binding.h"
#include "cli/run_folder.h"
#include "cli/table.h"
#include "data/synthetic.h"
#include "data/synthetic_log.h"

namespace evenkeel::cli {
namespace {

struct SynthArguments {
  SynthArguments() : bound(fields()) {}
  static Settings fields() {
    Settings settings(data::market_fields());
    const Field more[] = {threads_field()};
    settings.add(more);
    return settings;
  }
  BoundOptions bound;
  std::string folder, log;
  bool json = false;
};

int write_log(const SynthArguments& options, const Settings& settings) {
  if (options.bound.given("bias")) {
    fail_config("--bias is of the market that --out writes; leave it out with --log");
  }
  Threads threads(static_cast<int>(settings.integer("threads")));
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t bytes =
      data::write_synthetic_log(options.log, data::market_options(settings), threads);
  const double seconds = seconds_since(start);
  if (options.json) out("{}\n", json_text({{"log", options.log}, {"bytes", bytes}}));
  say("evenkeel: wrote {} ({} bytes, {:.0f} MB/s); next, try: evenkeel prepare {} --out ready",
      options.log, grouped_digits(bytes), static_cast<double>(bytes) / 1e6 / seconds, options.log);
  return 0;
}

int synth_command(const SynthArguments& options) {
  const Settings settings = options.bound.resolve();
  if (options.folder.empty() == options.log.empty()) {
    fail_config("give --out DIR for a market with its tests, or --log FILE for a plain log");
  }
  if (!options.log.empty()) return write_log(options, settings);
  Threads threads(static_cast<int>(settings.integer("threads")));
  const data::Market market = data::make_market(data::market_options(settings), threads);
  data::write_market(options.folder, market);
  const data::Parts& parts = market.parts;
  if (options.json) {
    nlohmann::json sizes{{"train", parts.train.size()}, {"valid", parts.valid.size()}};
    for (const data::NamedPairs& test : parts.tests) sizes[test.name] = test.pairs.size();
    out("{}\n", json_text({{"folder", options.folder},
                           {"users", parts.users.size()},
                           {"items", parts.items.size()},
                           {"parts", sizes}}));
    return 0;
  }
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
  auto options = std::make_shared<SynthArguments>();
  app.add_option("-o,--out", options->folder, "folder to write: a market with its tests")
      ->type_name("DIR");
  app.add_option("--log", options->log, "file to write instead: a plain log of any size, as CSV")
      ->type_name("FILE");
  add_json(app, options->json);
  options->bound.add_to(app, "Settings");
  return [options] { return synth_command(*options); };
}

}  // namespace evenkeel::cli
