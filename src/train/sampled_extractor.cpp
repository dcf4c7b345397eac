// In: a data set. Out: the extractor, an MF model whose rows are popularity classes, so that it
// trains with the same steps as the model itself.
#include "train/sampled_extractor.h"

#include <chrono>

#include "base/error.h"
#include "base/seconds.h"
#include "encoder/mf.h"
#include "loss/registry.h"
#include "optim/registry.h"
#include "sampler/registry.h"
#include "step/own_negatives_step.h"
#include "train/epoch.h"
#include "train/options.h"

namespace evenkeel::train {
namespace {

Settings softmax_settings(const Settings& settings) {
  Settings own(loss::find_loss("softmax").fields);
  own.set("tau", settings.value("tau-extractor"));
  return own;
}

}  // namespace

ExtractorTables train_sampled_extractor(const ExtractorInputs& inputs) {
  const auto& [data, settings, classes, negatives, seed, threads, observer, stop] = inputs;
  const TrainOptions options = train_options(settings);
  encoder::Mf encoder(classes.users.values.size(), classes.items.values.size(),
                      static_cast<std::size_t>(settings.integer("dim")), seed);
  const auto loss = loss::find_loss("softmax").make(softmax_settings(settings), {});
  const optim::OptimizerEntry& optimizer = optim::find_optimizer(settings.text("optimizer"));
  const auto update_users = optimizer.make(encoder.table(Side::kUser), settings);
  const auto update_items = optimizer.make(encoder.table(Side::kItem), settings);
  step::OwnNegativesStep step({encoder, *update_users, *update_items, threads}, *loss,
                              sampler::RandomNegatives(data.items_of, data.item_count(), seed),
                              step::most_samples(options, data), negatives, options.l2,
                              {classes.users.of_row, classes.items.of_row});
  const auto positives =
      sampler::find_sampler(settings.text("samples")).make(data.items_of, data.item_count(), seed);

  const int epochs = static_cast<int>(settings.integer("extractor-epochs"));
  for (int epoch = 1; epoch <= epochs; ++epoch) {
    const auto start = std::chrono::steady_clock::now();
    EpochTotals totals;
    run_epoch(static_cast<std::uint32_t>(epoch), *positives, step, options.pool, totals, stop,
              [&, epoch, epochs](const EpochTotals& so_far, std::size_t size) {
                inputs.observer.on_step(
                    {"extractor", epoch, epochs, so_far.samples, size, so_far.mean_loss()});
              });
    if (totals.interrupted) fail_interrupted_extractor();
    EpochProgress news{.phase = "extractor", .epoch = epoch, .epochs = epochs};
    news.loss = totals.mean_loss();
    news.seconds = seconds_since(start);
    news.samples_per_second = static_cast<double>(totals.samples) / news.seconds;
    observer.on_epoch(news);
  }
  update_users->finish(threads);
  update_items->finish(threads);
  return {std::move(encoder.table(Side::kUser)), std::move(encoder.table(Side::kItem))};
}

}  // namespace evenkeel::train
