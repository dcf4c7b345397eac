// No step of an epoch asks for memory: malloc and its kin are counted between two steps.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

#include "train/complete_settings.h"
#include "train/run.h"
#include "train/small_world.h"
#include "train/trainer.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define EVENKEEL_COUNTS_ALLOCATIONS 1

namespace {
std::atomic<std::size_t> allocations{0};
}

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  ++allocations;
  return __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
}  // extern "C"

namespace evenkeel::train {
namespace {

// Counts from the first to the last step of every epoch.
class Counter final : public Observer {
 public:
  void on_step(const StepProgress& news) override {
    const std::size_t now = allocations;
    if (news.phase == "train" && last_done_ != 0 && news.done > last_done_) found_ += now - last_;
    last_done_ = news.phase == "train" && news.done < news.total ? news.done : 0;
    ++steps_;
    last_ = allocations;
  }
  std::size_t found() const { return found_; }
  int steps() const { return steps_; }

 private:
  std::size_t last_ = 0, last_done_ = 0, found_ = 0;
  int steps_ = 0;
};

struct Mode {
  const char* name;
  const char *encoder, *loss, *negatives, *shared;
};

class Allocation : public ::testing::TestWithParam<Mode> {};

TEST_P(Allocation, NoneInsideAnEpoch) {
  const Mode& mode = GetParam();
  Settings settings = run_settings();
  settings.set("encoder", std::string_view(mode.encoder));
  settings.set("loss", std::string_view(mode.loss));
  if (*mode.negatives != 0) settings.set("negatives", std::string_view(mode.negatives));
  settings.set("shared-negatives", std::string_view(mode.shared));
  settings.set("batch", std::string_view("64"));
  settings.set("epochs", std::string_view("3"));
  settings.set("threshold-epochs", std::string_view("1"));
  settings.set("eval-every", std::string_view("1"));
  resolve_defaults(settings);
  const data::Dataset data = testing::small_world(240, 80);
  Threads threads(2);
  Trainer trainer(data, settings, threads);
  Counter counter;
  const std::atomic<bool> go_on{false};
  trainer.prepare(counter, go_on);
  while (!trainer.done()) trainer.run_epoch(counter, go_on);
  EXPECT_GT(counter.steps(), 30);
  EXPECT_EQ(counter.found(), 0U);
}

TEST(Allocation, TheCounterSeesAnAllocation) {
  const std::size_t before = allocations;
  std::free(std::malloc(64));
  const std::vector<int> numbers(1000);
  EXPECT_GE(allocations - before, numbers.size() / 1000 + 1);
}

INSTANTIATE_TEST_SUITE_P(Modes, Allocation,
                         ::testing::Values(Mode{"own", "mf", "bc", "16", "false"},
                                           Mode{"shared", "mf", "bc", "16", "true"},
                                           Mode{"in_batch", "mf", "softmax", "in-batch", "false"},
                                           Mode{"all", "mf", "softmax", "all", "false"},
                                           Mode{"top_k", "mf", "sl-at-k", "16", "false"},
                                           Mode{"pairwise", "mf", "bpr", "", "false"},
                                           Mode{"batch_loss", "mf", "macr", "", "false"},
                                           Mode{"graph_own", "lightgcn", "bc", "16", "false"},
                                           Mode{"graph_in_batch", "lightgcn", "bc", "in-batch",
                                                "false"}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace evenkeel::train
#endif
