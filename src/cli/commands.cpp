// In: nothing. Out: every command of the program, in the order --help shows them.
#include "cli/commands.h"

#include "cli/completion.h"

namespace evenkeel::cli {

std::span<const Command> commands() {
  static constexpr Command kCommands[] = {
      {"demo", "Train and compare four methods on a synthetic market; needs no data", add_demo},
      {"synth", "Make a synthetic market with biased training data and an unbiased test",
       add_synth},
      {"stats", "Size, density and long-tail degree of a data set", add_stats},
      {"split", "Cut an interactions file into train, validation and tests", add_split},
      {"prepare", "Make a data set of interactions files that opens in a moment", add_prepare},
      {"train", "Train a model from an interactions file or a data folder", add_train},
      {"sweep", "Try the settings of a search space and rank them on validation", add_sweep},
      {"experiment", "Tune, train and compare methods as a file says; write the tables",
       add_experiment},
      {"extend", "Give a model rows for new users and items, without training", add_extend},
      {"evaluate", "Rank all items for every test user and measure the ranking", add_evaluate},
      {"recommend", "The best items for one user or for many", add_recommend},
      {"similar", "The items nearest to an item, or the users nearest to a user", add_similar},
      {"find", "Items or users with a text in their id or title", add_find},
      {"serve", "Answer over HTTP: lists, similar items, a page to search", add_serve},
      {"export", "Write the embeddings as npy, npz or word2vec text", add_export},
      {"analyze", "What popularity bias does to a run: angles, exposure, bias degree, margins",
       add_analyze},
      {"compare", "The recorded figures of runs, side by side", add_compare},
      {"report", "One HTML page about one or many runs", add_report},
      {"list", "Encoders, losses, samplers, splits, readers and metrics, with their options",
       add_list},
      {"completion", "A script that completes commands and options in bash, zsh or fish",
       add_completion},
  };
  return kCommands;
}

}  // namespace evenkeel::cli
