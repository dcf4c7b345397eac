// A trained model. In: a run folder, a model file, or interactions to train on; out: lists of
// items, similar items, figures and model files.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evenkeel/export.h"
#include "evenkeel/interaction_log.h"
#include "evenkeel/options.h"

namespace evenkeel {

struct ScoredItem {
  std::string item;
  float score = 0;  ///< cosine or dot product, as Recommender::score() says, or corrected
  friend bool operator==(const ScoredItem&, const ScoredItem&) = default;
};

/// A second stage that makes a list of the best candidates (docs/methods.md, section 9).
struct RerankOptions {
  std::string name = "none";            ///< "calibrated", "xquad" or "compensation"
  std::optional<double> strength = {};  ///< 0: the plain list; without it, the reranker's default
  std::optional<std::size_t> candidates = {};  ///< that it chooses from; without it, 100
};

struct ListOptions {
  std::size_t k = 20;                ///< items per list; fewer where the catalogue has no more
  bool include_seen = false;         ///< also items that the log already holds of the user
  bool popular_for_unknown = false;  ///< popular items for a user without training, not an error
  int threads = 0;                   ///< 0: all cores this process may use
  /// Strength of the popularity correction: 0 as logged, 1 the log's popularity taken out; without
  /// it, Recommender::debias().
  std::optional<double> debias = {};
  RerankOptions rerank = {};
};

/// The figures of one part (validation or a test); docs/metrics.md defines them.
struct PartFigures {
  std::string part;                       ///< "valid", "test", "test_ood", ...
  std::size_t users = 0;                  ///< users that the means are over
  std::map<std::string, double> figures;  ///< "recall@20", "ndcg@20", "coverage@20", ...
};

struct MeasureOptions {
  std::size_t k = 20;
  bool allow_overlap = false;  ///< measure although pairs under test trained the model
  OptionValues reading = {};   ///< how to read a file; default: as the model's data was read
  int threads = 0;
  std::optional<double> debias = {};  ///< as in ListOptions
  RerankOptions rerank = {};
};

struct Measured {
  std::vector<PartFigures> parts;
  std::vector<std::string> notes;  ///< what was left out, and why a figure may flatter
};

/// Immutable; copies share the model. All functions may be called by several threads at once.
class EVENKEEL_API Recommender {
 public:
  /// A run folder or a model.safetensors. Any damage is an Error.
  static Recommender load(const std::string& path);
  /// Whole or not at all; the program and the Python package read the file, too.
  void save(const std::string& path) const;

  std::size_t users() const;
  std::size_t items() const;
  std::size_t dim() const;
  std::string score() const;  ///< "cosine" or "dot": what compares two vectors
  double debias() const;      ///< strength of the popularity correction that training chose
  bool knows_user(std::string_view user) const;
  bool knows_item(std::string_view item) const;
  std::vector<std::string> user_ids() const;  ///< by row
  std::vector<std::string> item_ids() const;
  std::vector<float> user_vector(std::string_view user) const;
  std::vector<float> item_vector(std::string_view item) const;

  /// Best first. A user that the model does not know is an Error unless the options say otherwise.
  std::vector<ScoredItem> recommend(const std::string& user, const ListOptions& options = {}) const;
  /// One list per user. Every call prepares the catalogue, so ask for many users at once.
  std::vector<std::vector<ScoredItem>> recommend_many(std::span<const std::string> users,
                                                      const ListOptions& options = {}) const;
  /// For somebody who is not in the model but has used these items; nothing is trained again.
  std::vector<ScoredItem> recommend_for_items(std::span<const std::string> items,
                                              const ListOptions& options = {}) const;
  /// By the cosine of the item vectors, with popularity taken out at the strength `debias`; the
  /// item itself is left out.
  std::vector<ScoredItem> similar_items(const std::string& item, std::size_t k = 20,
                                        double debias = 0) const;

  /// On the parts of the log that were held out of the training.
  Measured evaluate(const MeasureOptions& options = {}) const;
  /// On a folder of parts or an interactions file.
  Measured evaluate_on(const std::string& path, const MeasureOptions& options = {}) const;
  /// On a log that is the test, whole.
  Measured evaluate_on(const InteractionLog& test, const MeasureOptions& options = {}) const;

 private:
  friend struct RecommenderAccess;  // the engine's view of it
  struct State;
  explicit Recommender(std::shared_ptr<const State> state);
  std::shared_ptr<const State> state_;
};

/// What a training tells after every epoch.
struct EpochProgress {
  std::string_view phase;  ///< "train", or "extractor" for the popularity model of the BC loss
  int epoch = 0;           ///< from 1
  int epochs = 0;          ///< the most there can be
  double loss = 0;
  double seconds = 0;              ///< of training
  std::optional<double> recall{};  ///< Recall@20 on validation, on epochs that validate
  std::optional<double> ndcg{};
  bool best = false;  ///< this epoch is the best so far
};

struct TrainingControl {
  /// After every epoch, on the caller's thread; true ends the training with the best epoch so far.
  /// What it throws comes out of train_recommender().
  std::function<bool(const EpochProgress&)> on_epoch = {};
  /// Sentences for people: how the data was read, what was chosen.
  std::function<void(std::string_view)> on_message = {};
  /// Set it from anywhere to end after the current step: with a run folder an Error of kind
  /// kInterrupted and a checkpoint, otherwise the best epoch so far.
  const std::atomic<bool>* stop = nullptr;
  std::string out = {};    ///< run folder to write; empty: nothing is written
  bool resume = false;     ///< go on from the checkpoint of `out`
  bool overwrite = false;  ///< replace a finished run in `out`
};

struct TrainingResult {
  Recommender recommender;
  std::vector<PartFigures> parts;  ///< validation and tests
  int best_epoch = 0;              ///< chosen on validation
  int epochs = 0;
};

/// Trains on a folder of parts or an interactions file; `options` takes training_options(). The
/// same data, options and seed give the same bytes at any number of threads.
EVENKEEL_API TrainingResult train_recommender(const std::string& data,
                                              const OptionValues& options = {},
                                              const TrainingControl& control = {});
/// The same for a log in memory: the model is that of a file with the same rows.
EVENKEEL_API TrainingResult train_recommender(const InteractionLog& log,
                                              const OptionValues& options = {},
                                              const TrainingControl& control = {});

}  // namespace evenkeel
