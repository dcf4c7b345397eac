// In: a model file that may change at any time. Out: the last good model of it.
#include "serve/model_slot.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>
#include <vector>

#include "base/error.h"
#include "base/seconds.h"
#include "base/threads.h"
#include "serve/sockets.h"

namespace evenkeel::serve {
namespace {

namespace fs = std::filesystem;

constexpr const char* kIndexFile = "index.hnsw";

std::string model_file(const std::string& run) {
  std::error_code ignored;
  std::string path =
      fs::is_regular_file(run, ignored) ? run : (fs::path(run) / model::kModelFile).string();
  if (!fs::exists(path, ignored)) {
    const bool begun = fs::exists(run + "/checkpoint.safetensors", ignored) ||
                       fs::exists(run + "/auto/pending.json", ignored);
    if (begun) {
      fail_data("{}: its training is not finished; go on with: evenkeel train --resume --out {}",
                run, run);
    }
    fail_data("{}: there is no such model; make one with: evenkeel train DATA --out {}", path, run);
  }
  return path;
}

// A copy in memory: a mapped file that somebody cuts while it is read would end the program.
Descriptor copy_of(const std::string& path) {
  // O_NONBLOCK: a pipe is opened, and refused below, instead of waited for.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) fail_data("{}: cannot be opened: {}", path, std::strerror(errno));
  struct stat found {};
  if (fstat(file.get(), &found) != 0 || !S_ISREG(found.st_mode)) {
    fail_data("{}: not a file; give the path of a safetensors file", path);
  }
  Descriptor copy(memfd_create("model", MFD_CLOEXEC));
  if (copy.get() < 0) fail_run("the system refused memory: {}", std::strerror(errno));
  std::vector<char> block(std::size_t{1} << 20);
  for (;;) {
    const ssize_t got = ::read(file.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_data("{}: cannot be read: {}", path, std::strerror(errno));
    if (got == 0) return copy;
    for (ssize_t done = 0; done < got;) {
      const ssize_t put =
          ::write(copy.get(), block.data() + done, static_cast<std::size_t>(got - done));
      if (put <= 0) fail_run("the system refused memory: {}", std::strerror(errno));
      done += put;
    }
  }
}

void replace_all(std::string& text, const std::string& what, std::string_view with) {
  if (what.empty()) return;
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += with.size()) {
    text.replace(at, what.size(), with);
  }
}

}  // namespace

ModelSlot::ModelSlot(Source source)
    : source_(std::move(source)), file_(model_file(source_.run)), tried_(mark()) {
  looked_at_ = tried_;
  served_ = read();
  status_.tried = WallClock::now();
}

std::shared_ptr<const Served> ModelSlot::get() const {
  const std::lock_guard lock(mutex_);
  return served_;
}

ModelSlot::Status ModelSlot::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

ModelSlot::FileMark ModelSlot::mark() const {
  struct stat found {};
  if (stat(file_.c_str(), &found) != 0) return {};
  return {found.st_ino, static_cast<std::uint64_t>(found.st_size),
          std::int64_t{found.st_mtim.tv_sec} * 1000000000 + found.st_mtim.tv_nsec};
}

bool ModelSlot::changed() {
  const FileMark now = mark();
  const std::lock_guard lock(mutex_);
  const bool rests = now == looked_at_;  // as at the last look: nobody is writing it
  looked_at_ = now;
  return rests && now != tried_;
}

std::shared_ptr<Served> ModelSlot::read() const {
  const auto start = std::chrono::steady_clock::now();
  const Descriptor copy = copy_of(file_);
  model::Model model;
  const std::string copied = "/proc/self/fd/" + std::to_string(copy.get());
  try {
    model = model::load_model(copied);
  } catch (const Error& error) {
    std::string sentence = error.what();
    replace_all(sentence, copied, file_);
    throw Error(error.kind(), sentence);
  }
  data::Titles titles;
  if (!source_.titles.empty()) titles = data::read_titles(source_.titles, model.item_ids);
  Threads threads(source_.threads);
  auto served = std::make_shared<Served>(std::move(model), std::move(titles), threads);
  if (source_.approximate) {
    rank::ApproximateIndex::Options options;
    options.threads = source_.threads;
    served->near = std::make_unique<const rank::ApproximateIndex>(
        served->lists, (fs::path(file_).parent_path() / kIndexFile).string(), options);
  }
  struct stat found {};
  if (stat(file_.c_str(), &found) == 0) {
    served->written = WallClock::from_time_t(found.st_mtim.tv_sec);
  }
  served->seconds = seconds_since(start);
  return served;
}

std::string ModelSlot::without_paths(std::string sentence) const {
  replace_all(sentence, file_, model::kModelFile);
  replace_all(sentence, source_.titles, "the table of titles");
  return sentence;
}

bool ModelSlot::reload() {
  const std::lock_guard one_at_a_time(reloading_);
  return reload_locked();
}

std::optional<bool> ModelSlot::try_reload() {
  const std::unique_lock one_at_a_time(reloading_, std::try_to_lock);
  if (!one_at_a_time) return std::nullopt;
  return reload_locked();
}

bool ModelSlot::reload_locked() {
  const FileMark now = mark();
  std::shared_ptr<Served> fresh;
  std::optional<std::string> failure;
  try {
    fresh = read();
  } catch (const std::bad_alloc&) {
    failure = "there is not enough memory for a second model beside the first";
  } catch (const std::exception& error) {
    failure = without_paths(error.what());
  }
  std::shared_ptr<const Served> old;  // goes when the lock is gone: freeing it takes its time
  const std::lock_guard lock(mutex_);
  tried_ = looked_at_ = now;
  ++status_.reloads;
  status_.tried = WallClock::now();
  status_.failure = failure;
  if (failure) {
    ++status_.failures;
    return false;
  }
  fresh->generation = served_->generation + 1;
  old = std::move(served_);
  served_ = std::move(fresh);
  return true;
}

}  // namespace evenkeel::serve
