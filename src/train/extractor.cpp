// In: a data set. Out: the frozen extractor and the margins made from it. The extractor is an MF
// model whose rows are popularity classes, so it trains with the same steps as the model itself.
#include "train/extractor.h"

#include <chrono>

#include "base/error.h"
#include "base/rng.h"
#include "encoder/mf.h"
#include "loss/registry.h"
#include "optim/registry.h"
#include "sampler/registry.h"
#include "step/own_negatives_step.h"
#include "train/epoch.h"
#include "train/options.h"

namespace evenkeel::train {
namespace {

// The extractor always has negatives of its own, as many as the model where that has its own too:
// its tables are tiny, and a shared pool would hold the same few rows again and again.
std::size_t extractor_negatives(const TrainOptions& options) {
  constexpr std::size_t kUsual = 128;
  return options.negatives_kind == step::NegativesKind::kOwn ? options.negatives : kUsual;
}

// The extractor draws from streams of its own: another seed made from the run's.
std::uint64_t extractor_seed(std::uint64_t seed) {
  return Random(seed, Purpose::kExtractor).word64(0, 0);
}

Settings softmax_settings(const Settings& settings) {
  Settings own(loss::find_loss("softmax").fields);
  own.set("tau", settings.value("tau-extractor"));
  return own;
}

}  // namespace

bool needs_extractor(const Settings& settings) {
  return loss::find_margin(settings.text("margin")).needs_extractor &&
         settings.number("margin-strength") > 0;
}

ExtractorTables train_extractor(const data::Dataset& data, const Settings& settings,
                                Threads& threads, Observer& observer,
                                const std::atomic<bool>& stop) {
  const TrainOptions options = train_options(settings);
  const std::uint64_t seed = extractor_seed(options.seed);
  const loss::PopularityClasses users = loss::popularity_classes(data.user_popularity);
  const loss::PopularityClasses items = loss::popularity_classes(data.item_popularity);
  encoder::Mf encoder(users.values.size(), items.values.size(),
                      static_cast<std::size_t>(settings.integer("dim")), seed);
  const auto loss = loss::find_loss("softmax").make(softmax_settings(settings), {});
  const optim::OptimizerEntry& optimizer = optim::find_optimizer(settings.text("optimizer"));
  const auto update_users = optimizer.make(encoder.table(Side::kUser), settings);
  const auto update_items = optimizer.make(encoder.table(Side::kItem), settings);
  step::OwnNegativesStep step({encoder, *update_users, *update_items, threads}, *loss,
                              sampler::RandomNegatives(data.items_of, data.item_count(), seed),
                              step::most_samples(options, data), extractor_negatives(options),
                              options.l2, {users.of_row, items.of_row});
  const auto positives =
      sampler::find_sampler(settings.text("samples")).make(data.items_of, data.item_count(), seed);

  const int epochs = static_cast<int>(settings.integer("extractor-epochs"));
  for (int epoch = 1; epoch <= epochs; ++epoch) {
    const auto start = std::chrono::steady_clock::now();
    EpochTotals totals;
    run_epoch(
        static_cast<std::uint32_t>(epoch), *positives, step, options.batch, totals, stop,
        [&](const EpochTotals& so_far, std::size_t size) {
          observer.on_step({"extractor", epoch, epochs, so_far.samples, size, so_far.mean_loss()});
        });
    if (totals.interrupted) {
      throw Error(ErrorKind::kInterrupted,
                  "stopped while the popularity bias extractor trained; it will start again");
    }
    EpochProgress news{.phase = "extractor", .epoch = epoch, .epochs = epochs};
    news.loss = totals.mean_loss();
    news.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    news.samples_per_second = static_cast<double>(totals.samples) / news.seconds;
    observer.on_epoch(news);
  }
  update_users->finish(threads);
  update_items->finish(threads);
  return {std::move(encoder.table(Side::kUser)), std::move(encoder.table(Side::kItem))};
}

loss::Margins make_margins(const data::Dataset& data, const Settings& settings,
                           const ExtractorTables& tables) {
  const double strength = settings.number("margin-strength");
  if (!needs_extractor(settings)) {
    return loss::Margins::constant(strength, data.user_count(), data.item_count());
  }
  return loss::Margins::from_vectors(loss::find_margin(settings.text("margin")), strength,
                                     loss::popularity_classes(data.user_popularity),
                                     loss::popularity_classes(data.item_popularity), tables.users,
                                     tables.items);
}

}  // namespace evenkeel::train
