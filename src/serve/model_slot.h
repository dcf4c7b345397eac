// The model that answers. In: a run folder, and the wish to read it again; out: the model in use.
// A new one is read beside the old one and takes its place when it is whole; a broken one changes
// nothing but what status() tells.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "data/titles.h"
#include "model/model.h"
#include "rank/model_lists.h"
#include "serve/batcher.h"

namespace evenkeel::serve {

using WallClock = std::chrono::system_clock;

// A model and everything prepared for it. Requests hold on to the one they began with.
struct Served {
  Served(model::Model read, data::Titles named, Threads& threads)
      : model(std::move(read)), titles(std::move(named)), lists(model, threads) {}
  const model::Model model;
  const data::Titles titles;
  const rank::ModelLists lists;
  std::unique_ptr<const rank::ApproximateIndex> near;  // where it was asked for
  WallClock::time_point loaded = WallClock::now(), written;
  std::uint64_t generation = 1;
  double seconds = 0;  // to load it

  Ranking ranking() const { return {&lists.ranking(), near.get()}; }
  Ranking likeness() const {  // by cosine, which the graph knows where the model ranks by it
    return {&lists.likeness(), model.score == model::Score::kCosine ? near.get() : nullptr};
  }
};

class ModelSlot {
 public:
  struct Source {
    std::string run;     // a run folder or a model file
    std::string titles;  // a table, or empty
    int threads = 0;     // to load with
    bool approximate = false;
  };
  explicit ModelSlot(Source source);  // throws when the first model cannot be read

  std::shared_ptr<const Served> get() const;

  // Reads the folder again. False: the old model stays, and status() says why.
  bool reload();
  // The same, or nothing where another reload is under way: who asks must not hold up others.
  std::optional<bool> try_reload();
  // Whether the model's file is another than the one that was last tried, and not just being
  // written.
  bool changed();

  struct Status {
    std::uint64_t reloads = 0, failures = 0;
    std::optional<std::string> failure;  // of the last try; no path in it
    WallClock::time_point tried;
  };
  Status status() const;

 private:
  struct FileMark {  // of the model's file; another one is another file
    std::uint64_t inode = 0, size = 0;
    std::int64_t written = 0;  // nanoseconds
    friend bool operator==(const FileMark&, const FileMark&) = default;
  };
  std::shared_ptr<Served> read() const;
  bool reload_locked();
  FileMark mark() const;
  std::string without_paths(std::string sentence) const;

  Source source_;
  std::string file_;
  std::mutex reloading_;  // one at a time
  mutable std::mutex mutex_;
  std::shared_ptr<const Served> served_;
  Status status_;
  FileMark tried_, looked_at_;
};

}  // namespace evenkeel::serve
