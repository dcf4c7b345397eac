// In: a data set. Out: the frozen extractor of the kind asked for, and the margins made from it.
#include "train/extractor.h"

#include <array>

#include "base/error.h"
#include "base/registry.h"
#include "base/rng.h"
#include "train/class_extractor.h"
#include "train/options.h"
#include "train/sampled_extractor.h"

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

}  // namespace

void fail_interrupted_extractor() {
  throw Error(ErrorKind::kInterrupted,
              "stopped while the popularity bias extractor trained; it will start again");
}

std::span<const ExtractorEntry> extractors() {
  static constexpr std::array entries{
      ExtractorEntry{"classes", "from the counts of pairs between popularity classes",
                     loss::merged_classes, train_class_extractor},
      ExtractorEntry{"sampled", "from samples, a class for every popularity (the paper)",
                     loss::popularity_classes, train_sampled_extractor}};
  return entries;
}

const ExtractorEntry& extractor_entry(const Settings& settings) {
  std::string_view name = settings.text("extractor");
  if (name == "auto") name = settings.is_set("extractor-epochs") ? "sampled" : "classes";
  return find_entry("extractor", name, extractors());
}

ExtractorClasses extractor_classes(const data::Dataset& data, const Settings& settings) {
  const ExtractorEntry& entry = extractor_entry(settings);
  return {entry.classes(data.user_popularity), entry.classes(data.item_popularity)};
}

bool needs_extractor(const Settings& settings) {
  return loss::find_margin(settings.text("margin")).needs_extractor &&
         settings.number("margin-strength") > 0;
}

ExtractorTables train_extractor(const data::Dataset& data, const Settings& settings,
                                Threads& threads, Observer& observer,
                                const std::atomic<bool>& stop) {
  const TrainOptions options = train_options(settings);
  const ExtractorClasses classes = extractor_classes(data, settings);
  return extractor_entry(settings).train({data, settings, classes, extractor_negatives(options),
                                          extractor_seed(options.seed), threads, observer, stop});
}

loss::Margins make_margins(const data::Dataset& data, const Settings& settings,
                           const ExtractorTables& tables, Threads* threads) {
  const loss::MarginEntry& kind = loss::find_margin(settings.text("margin"));
  const double strength = settings.number("margin-strength");
  if (!needs_extractor(settings)) {
    return loss::Margins::constant(strength, data.user_count(), data.item_count());
  }
  auto users = loss::classes_of_table(data.user_popularity, tables.users.rows());
  auto items = loss::classes_of_table(data.item_popularity, tables.items.rows());
  EVENKEEL_CHECK(users && items);
  return loss::Margins::from_vectors(kind, strength, std::move(*users), std::move(*items),
                                     tables.users, tables.items, threads);
}

}  // namespace evenkeel::train
