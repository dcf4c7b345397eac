// In: a run folder and newer interactions. Out: a run folder whose model knows the new users, items
// and pairs, without training.
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/option_binding.h"
#include "cli/run_folder.h"
#include "data/options.h"
#include "eval/test_parts.h"
#include "io/atomic_file.h"
#include "io/mapped_file.h"
#include "rank/extend.h"
#include "train/run_folder.h"

namespace evenkeel::cli {
namespace {

namespace files = train::run_files;

struct ExtendArguments {
  ExtendArguments() : bound(fields()), reading(Settings(data::reading_fields())) {}
  static Settings fields() {
    const Field list[] = {threads_field()};
    return Settings(list);
  }
  BoundOptions bound, reading;
  std::string run, data, out;
  bool overwrite = false, json = false;
};

// A finished run has a result and checkpoints of another model; an earlier extension may go.
void check_out(const ExtendArguments& options) {
  if (train::has_run_file(options.out, files::kResult) ||
      train::has_run_file(options.out, files::kCheckpoint)) {
    fail_config("{} holds a training; choose another --out", options.out);
  }
  if (train::has_run_file(options.out, files::kModel) && !options.overwrite) {
    fail_config("{} holds a model; choose another --out or give --overwrite", options.out);
  }
}

// The model comes last: with it the folder is one.
void write_run(const ExtendArguments& options, const model::Model& model) {
  std::error_code failure;
  std::filesystem::create_directories(options.out, failure);
  if (failure) {
    fail_run("{}: cannot make the run folder: {}; choose another --out", options.out,
             failure.message());
  }
  const train::FolderLock lock(options.out);
  if (train::has_run_file(options.run, files::kConfig)) {
    const io::MappedFile config(train::run_file(options.run, files::kConfig));
    io::write_file_atomically(train::run_file(options.out, files::kConfig),
                              std::string(config.bytes()));
  }
  model::save_model(model, train::run_file(options.out, files::kModel));
}

// New rows that nothing known leads to have no place of their own.
void say_alone(const rank::Extension& extension) {
  if (extension.alone_users + extension.alone_items == 0) return;
  say("evenkeel: {} of the new users and {} of the new items are paired with nothing that the "
      "model "
      "knows and stand at the mean: their lists are arbitrary until it is trained again",
      extension.alone_users, extension.alone_items);
}

int extend_command(const ExtendArguments& options) {
  const Settings settings = options.bound.resolve();
  check_out(options);
  model::Model model = load_run_model(options.run);
  Threads threads(static_cast<int>(settings.integer("threads")));
  const data::Interactions news =
      eval::read_log(model, options.data, given_reading(options.reading), threads, true);
  const rank::Extension extension = rank::extend(model, news, threads);
  model.notes["extended"] =
      fmt::format("{} users, {} items and {} pairs folded in", extension.new_users,
                  extension.new_items, extension.new_pairs);
  write_run(options, model);
  say_alone(extension);
  if (options.json) {
    out("{}\n", json_text({{"new_users", extension.new_users},
                           {"new_items", extension.new_items},
                           {"new_pairs", extension.new_pairs},
                           {"known_pairs", extension.known_pairs},
                           {"seen_pairs", extension.seen_pairs},
                           {"users_without_neighbours", extension.alone_users},
                           {"items_without_neighbours", extension.alone_items}}));
    return 0;
  }
  say("evenkeel: {} new users and {} new items folded in, {} new pairs seen ({} known before); the "
      "model is in {}",
      extension.new_users, extension.new_items, extension.new_pairs, extension.known_pairs,
      options.out);
  if (extension.seen_pairs > 0) {
    say("evenkeel: {} pairs below --min-rating are left out of lists from now on",
        extension.seen_pairs);
  }
  return 0;
}

}  // namespace

Action add_extend(CLI::App& app) {
  auto options = std::make_shared<ExtendArguments>();
  add_model(app, options->run);
  app.add_option("new", options->data,
                 "interactions since the training, old ones may be among them")
      ->required()
      ->type_name("NEW");
  app.add_option("-o,--out", options->out, "run folder to write; made if missing")
      ->required()
      ->type_name("RUN2");
  app.add_flag("--overwrite", options->overwrite, "replace an earlier extension in RUN2");
  add_json(app, options->json);
  options->bound.add_to(app, "Settings");
  options->reading.add_to(app, "Reading NEW (otherwise as the run's own log was read)");
  app.footer(
      "Trained vectors stay as they are: rows of new items come from their users, those of new "
      "users from their items.\nTo learn from new pairs of known users, train again: evenkeel "
      "train LOG --from RUN.");
  return [options] { return extend_command(*options); };
}

}  // namespace evenkeel::cli
