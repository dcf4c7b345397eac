// In: a run folder and a format. Out: the vectors in files that other programs read.
#include "model/export.h"

#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/option_binding.h"
#include "cli/run_folder.h"
#include "rank/correction.h"

namespace evenkeel::cli {
namespace {

struct ExportArguments {
  ExportArguments() : bound(fields()) {}
  static Settings fields() {
    Field format{"format", std::string("npz"), "file format"};
    for (const model::ExportFormat& known : model::export_formats())
      format.choices.push_back(known.name);
    const Field list[] = {format, score_field(), debias_field()};
    return Settings(list);
  }
  BoundOptions bound;
  std::string run, path;
  bool raw = false, json = false;
};

int export_command(const ExportArguments& options) {
  const Settings settings = options.bound.resolve();
  model::Model model = load_corrected_model(options.run, settings);
  if (options.raw && model.debias > 0) {
    fail_config(
        "--raw keeps the vectors as they were trained, and --debias {} changes them; give "
        "--debias 0, or leave --raw out",
        model.debias);
  }
  const double debias = model.debias;
  Threads threads;
  rank::bake_correction(model, debias, threads);
  const auto files = model::export_model(model, settings.text("format"), options.path, options.raw);
  if (options.json) {
    const nlohmann::json answer{{"files", files},
                                {"users", model.users.rows()},
                                {"items", model.items.rows()},
                                {"dim", model.users.dim()},
                                {"score", model::score_name(model.score)},
                                {"debias", debias}};
    out("{}\n", json_text(answer));
  } else {
    for (const std::string& file : files) out("{}\n", printable(file));
  }
  say("evenkeel: {} users and {} items, {} dimensions, {} score{}", model.users.rows(),
      model.items.rows(), model.users.dim(), model::score_name(model.score),
      debias > 0 ? fmt::format(", corrected with --debias {}", debias) : "");
  return 0;
}

}  // namespace

Action add_export(CLI::App& app) {
  auto options = std::make_shared<ExportArguments>();
  add_model(app, options->run);
  app.add_option("-o,--out", options->path, "file or folder to write")
      ->required()
      ->type_name("PATH");
  app.add_flag("--raw", options->raw, "keep the vectors' lengths also for a cosine model");
  add_json(app, options->json);
  options->bound.add_to(app, "Settings");
  std::string formats;
  for (const model::ExportFormat& format : model::export_formats()) {
    formats += fmt::format("\n  {:10} {}", format.name, format.description);
  }
  app.footer("Formats:" + formats + "\nThe names of the files written go to stdout.");
  return [options] { return export_command(*options); };
}

}  // namespace evenkeel::cli
