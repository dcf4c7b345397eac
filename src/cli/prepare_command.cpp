// In: interactions files. Out: a folder of prepared data, for every command that takes DATA.
#include "data/prepare.h"

#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/option_binding.h"
#include "cli/read_summary.h"
#include "cli/run_folder.h"
#include "cli/table.h"
#include "data/options.h"

namespace evenkeel::cli {
namespace {

struct PrepareArguments {
  PrepareArguments() : bound(data_settings()) {}
  BoundOptions bound;
  std::string memory = "4G";
  bool json = false;
  data::PrepareRequest request;
};

// "4G", "512M": 1024 to the power.
std::uint64_t parse_memory(const std::string& text) {
  constexpr std::string_view kUnits = "KMGT";
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, number);
  const std::size_t unit = stop + 1 == end ? kUnits.find(*stop) : kUnits.npos;
  const bool good =
      failure == std::errc() && number > 0 && number < (1U << 20) && unit != kUnits.npos;
  if (!good) fail_config("--memory is '{}'; give a number and K, M, G or T, like 4G", text);
  return number << (10 * (unit + 1));
}

int prepare_command(PrepareArguments& options) {
  const Settings settings = options.bound.resolve();
  options.request.split = options.bound.given("split");
  if (options.request.split && options.request.times) {
    fail_config("--times keeps times for a later split, and --split cuts now; give one of them");
  }
  if (options.bound.given("seed") && !options.request.split) {
    fail_config("--seed is of the split; give --split, or leave it out: training has its own");
  }
  options.request.memory = parse_memory(options.memory);
  Threads threads(static_cast<int>(settings.integer("threads")));
  const data::PrepareOutcome outcome = data::prepare(options.request, settings, threads);
  if (options.json) {
    out("{}\n", json_text({{"folder", options.request.out},
                           {"users", outcome.users},
                           {"items", outcome.items},
                           {"interactions", outcome.interactions},
                           {"bytes", outcome.bytes},
                           {"read", read_json(outcome.report)}}));
    return 0;
  }
  say_read(outcome.report);
  Table table({"data", options.request.out});
  table.add({"users", grouped_digits(outcome.users)});
  table.add({"items", grouped_digits(outcome.items)});
  table.add({"interactions", grouped_digits(outcome.interactions)});
  table.add({"bytes", grouped_digits(outcome.bytes)});
  out("{}", table.text());
  say("evenkeel: next, try: evenkeel train {} --out run", options.request.out);
  return 0;
}

}  // namespace

Action add_prepare(CLI::App& app) {
  auto options = std::make_shared<PrepareArguments>();
  app.add_option("files", options->request.files, "interactions files, or patterns with * and ?")
      ->required()
      ->type_name("LOG");
  app.add_option("-o,--out", options->request.out, "folder to write")->required()->type_name("DIR");
  app.add_flag("--times", options->request.times, "keep times, for a split by time later");
  app.add_option("--memory", options->memory,
                 "memory for pairs; more of them are sorted on disk (ids stay in memory)")
      ->type_name("SIZE")
      ->capture_default_str();
  add_json(app, options->json);
  options->bound.add_to(app, "Settings");
  app.footer(
      "Without --split the whole log is kept, and training cuts it as it would cut the file.");
  return [options] { return prepare_command(*options); };
}

}  // namespace evenkeel::cli
