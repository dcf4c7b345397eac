// In: a run folder. Out: what popularity bias does to it, as short tables or as JSON.
#include <memory>

#include "base/error.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/option_binding.h"
#include "cli/run_folder.h"
#include "cli/signals.h"
#include "cli/table.h"
#include "cli/write_report.h"
#include "eval/evaluate.h"
#include "report/run_record.h"
#include "train/run_folder.h"

namespace evenkeel::cli {
namespace {

using nlohmann::json;

struct AnalyzeArguments {
  AnalyzeArguments() : bound(fields()) {}
  static Settings fields() {
    const Field list[] = {threads_field()};
    return Settings(list);
  }
  BoundOptions bound;
  std::string run;
  bool json = false, quiet = false;
};

std::string cell(const json& value, int decimals = 3) {
  return value.is_number() ? fmt::format("{:.{}f}", value.get<double>(), decimals) : "-";
}

void add_trio(Table& table, const std::string& name, const json& trio, int decimals) {
  table.add({name, cell(trio[0], decimals), cell(trio[1], decimals), cell(trio[2], decimals)});
}

json percent(const json& shares) {
  json out = json::array();
  for (const json& share : shares) out.push_back(100 * share.get<double>());
  return out;
}

// `corner`, then a column for each group: "head items" where `of` is " items".
std::vector<std::string> group_header(const std::string& corner, std::string_view of) {
  std::vector<std::string> names{corner};
  for (const std::string_view group : eval::kGroupNames) {
    names.push_back(fmt::format("{}{}", group, of));
  }
  return names;
}

void print_groups(const json& run, const json& data_set) {
  Table table(group_header("by group", ""));
  add_trio(table, "% of training interactions", percent(data_set["popularity"]["group_share"]), 1);
  add_trio(table, "% of recommendations", percent(run["exposure"]["group_share"]), 1);
  if (const json& geometry = run["geometry"]; geometry.is_object()) {
    add_trio(table, "angle of users to training items", geometry["positive_degrees"], 1);
    add_trio(table, "angle of users to other items", geometry["negative_degrees"], 1);
    add_trio(table, "compactness of users", geometry["user_compactness"], 3);
    add_trio(table, "dispersion of users", geometry["user_dispersion"], 3);
    add_trio(table, "compactness of items", geometry["item_compactness"], 3);
    add_trio(table, "dispersion of items", geometry["item_dispersion"], 3);
  }
  out("{}\n", table.text());
}

void print_lift(const json& run, const json& data_set) {
  Table table({"tenth of items by popularity", "% consumed", "% recommended", "lift"});
  for (std::size_t d = 0; d < run["exposure"]["lift"].size(); ++d) {
    table.add({fmt::format("{}{}", d + 1, d == 0 ? " (most popular)" : ""),
               cell(percent(data_set["popularity"]["decile_share"])[d], 2),
               cell(percent(run["exposure"]["decile_share"])[d], 2),
               cell(run["exposure"]["lift"][d], 2)});
  }
  out("{}\n", table.text());
}

void print_nine(const json& nine) {
  Table table(group_header("xi, radians (mean +- sd)", " items"));
  for (std::size_t u = 0; u < 3; ++u) {
    std::vector<std::string> row{fmt::format("{} users", eval::kGroupNames[u])};
    for (std::size_t i = 0; i < 3; ++i) {
      row.push_back(fmt::format("{} +- {}", cell(nine["mean"][u][i]), cell(nine["sd"][u][i])));
    }
    table.add(row);
  }
  out("{}\n", table.text());
}

void print_single(const json& run, const json& data_set) {
  Table table({"figure", "value"});
  const json& exposure = run["exposure"];
  table.add({"catalogue coverage", cell(exposure["coverage"])});
  table.add({"Gini of exposure", cell(exposure["gini"])});
  table.add({"Gini of consumption", cell(data_set["popularity"]["gini"])});
  if (run["geometry"].is_object()) {
    table.add({"r(item norm, log popularity)", cell(run["geometry"]["norms"]["pearson"])});
  }
  if (const json& bias = data_set["bias"]; bias.is_object()) {
    table.add({"r(bias degree, item popularity)", cell(bias["items"]["pearson"], 4)});
    table.add({"  over single items", cell(bias["items"]["pearson_rows"], 4)});
    table.add({"r(bias degree, user popularity)", cell(bias["users"]["pearson"], 4)});
    table.add({"  over single users", cell(bias["users"]["pearson_rows"], 4)});
  }
  if (const json& margins = run["margins"]; margins.is_object()) {
    table.add(
        {"margin, radians", fmt::format("{} +- {}", cell(margins["mean"]), cell(margins["sd"]))});
    table.add({"% of pairs at the cap", cell(100 * margins["capped_share"].get<double>(), 2)});
  }
  out("{}\n", table.text());
}

int analyze_command(const AnalyzeArguments& options) {
  const Settings settings = options.bound.resolve();
  if (!report::is_run_folder(options.run)) {
    fail_data("{}: there is no run in this folder; make one with: evenkeel train DATA --out {}",
              options.run, options.run);
  }
  if (!train::has_run_file(options.run, train::run_files::kResult)) {  // before much work is done
    fail_data("{}: its training is not finished; go on with: evenkeel train --resume --out {}",
              options.run, options.run);
  }
  const StopSignals signals;
  Threads threads(static_cast<int>(settings.integer("threads")));
  const json report = report_on({options.run}, {}, options.quiet, threads, signals.stop());
  const json& run = report["runs"][0];
  const json& data_set = report["data_sets"][0];
  if (!run["exposure"].is_object()) {
    fail_data("{}: {}; analyze needs a finished run with its model", options.run,
              run["problem"].is_string() ? run["problem"].get<std::string>() : "no vectors");
  }
  if (options.json) {
    out("{}\n", json_text({{"run", run}, {"data_set", data_set}}, 2));
    return 0;
  }
  out("{}\n\n", printable(run["finding"].get<std::string>()));
  print_groups(run, data_set);
  print_lift(run, data_set);
  if (data_set["bias"].is_object()) print_nine(data_set["bias"]["nine"]);
  print_single(run, data_set);
  flush_out();
  if (!options.quiet) say_notices(report);
  return 0;
}

}  // namespace

Action add_analyze(CLI::App& app) {
  auto options = std::make_shared<AnalyzeArguments>();
  app.add_option("run", options->run, "run folder")->required()->type_name("RUN");
  add_json(app, options->json);
  app.add_flag("--quiet", options->quiet, "no messages");
  options->bound.add_to(app, "Settings");
  return [options] { return analyze_command(*options); };
}

}  // namespace evenkeel::cli
