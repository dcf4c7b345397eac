// In: one interactions file and a protocol. Out: a folder of parts with its manifest.
#include "data/split.h"

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/seconds.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/option_binding.h"
#include "cli/read_summary.h"
#include "cli/run_folder.h"
#include "cli/table.h"
#include "data/options.h"
#include "data/prepared.h"

namespace evenkeel::cli {
namespace {

constexpr std::int64_t kPaperCore = 10;

struct SplitArguments {
  SplitArguments() : bound(fields()) {}
  static Settings fields() {
    std::vector<Field> list;
    for (const Field& field : data::data_fields()) {
      if (field.name == "split") {
        list.push_back({"protocol", std::string("balanced"), "how to cut", 0, 0, field.choices});
        continue;
      }
      list.push_back(field);
      if (field.name == "k-core") list.back().default_value = kPaperCore;
    }
    list.push_back(threads_field());
    return Settings(list);
  }
  BoundOptions bound;
  std::string file, folder;
  bool json = false;
};

// The engine's names for the same options: --protocol is its `split`.
// Prepared data keeps what it was prepared with where nothing else is asked for.
Settings engine_settings(const SplitArguments& options, const Settings& given) {
  Settings settings(data::data_fields());
  const auto prepared = data::prepared_options(options.file);
  for (const Field& field : data::data_fields()) {
    const std::string_view from = field.name == "split" ? "protocol" : field.name;
    if (!options.bound.given(from) && prepared.contains(std::string(field.name))) continue;
    settings.set(field.name, given.value(from));
  }
  return settings;
}

std::vector<std::string> part_row(const std::string& name, std::size_t count, std::size_t total) {
  return {name, grouped_digits(count),
          fmt::format("{:.1f} %", 100.0 * static_cast<double>(count) / static_cast<double>(total))};
}

int split_command(const SplitArguments& options) {
  const Settings given = options.bound.resolve();
  Threads threads(static_cast<int>(given.integer("threads")));
  const auto start = std::chrono::steady_clock::now();
  const data::SplitOutcome outcome =
      data::split_file(options.file, options.folder, engine_settings(options, given), threads);
  const double seconds = seconds_since(start);

  if (options.json) {
    nlohmann::json answer = outcome.manifest;
    answer["folder"] = options.folder;
    answer["read"] = read_json(outcome.report);
    out("{}\n", json_text(answer));
    return 0;
  }
  say_read(outcome.report);
  const data::Dataset& data = outcome.data;
  std::size_t total = data.interactions() + data.valid.interactions();
  for (const data::Part& test : data.tests) total += test.interactions();
  if (given.integer("k-core") > 0) {
    say("evenkeel: {}-core keeps {} of {} users, {} of {} items, {} of {} interactions",
        given.integer("k-core"), grouped_digits(data.user_count()),
        grouped_digits(outcome.report.read_users), grouped_digits(data.item_count()),
        grouped_digits(outcome.report.read_items), grouped_digits(total),
        grouped_digits(outcome.report.read_interactions));
  }
  Table table({"part", "interactions", "share"});
  table.add(part_row("train", data.interactions(), total));
  table.add(part_row("valid", data.valid.interactions(), total));
  for (const data::Part& test : data.tests)
    table.add(part_row(test.name, test.interactions(), total));
  out("{}", table.text());
  say("evenkeel: wrote {} in {} ({:.0f} MB/s from file to folder)", options.folder,
      duration_text(seconds), static_cast<double>(outcome.report.read.bytes) / 1e6 / seconds);
  return 0;
}

}  // namespace

Action add_split(CLI::App& app) {
  auto options = std::make_shared<SplitArguments>();
  app.add_option("file", options->file, "interactions file")->required()->type_name("FILE");
  app.add_option("-o,--out", options->folder, "folder to write")->required()->type_name("DIR");
  add_json(app, options->json);
  options->bound.add_to(app, "Settings");
  std::string protocols;
  for (const data::SplitProtocol& protocol : data::split_protocols()) {
    protocols += fmt::format("\n  {:14} {}", protocol.name, protocol.description);
  }
  app.footer("Protocols:" + protocols);
  return [options] { return split_command(*options); };
}

}  // namespace evenkeel::cli
