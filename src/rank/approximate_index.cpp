// In: items as points on one sphere: their compared vectors, their popularity as one more number
// and the rest of the radius as another. On a sphere the nearest point is the one with the largest
// product, which makes a product with any user, at any strength of the correction, a search for
// neighbours (docs/serve.md).
#include "rank/approximate_index.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "base/descriptor.h"
#include "base/error.h"
#include "data/hash.h"
#include "io/atomic_file.h"
#include "io/mapped_file.h"
#include "kernels/products.h"
#include "rank/correction.h"

#ifdef EVENKEEL_HNSW
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#include <hnswlib/hnswlib.h>
#pragma GCC diagnostic pop
#endif

namespace evenkeel::rank {
namespace {

constexpr std::size_t kMeasuredUsers = 200;
// Popularity is brought to this share of a vector's length: enough to steer, too little to make
// items neighbours by popularity alone.
constexpr double kPopularityWeight = 0.1;

}  // namespace

#ifdef EVENKEEL_HNSW

class ApproximateIndex::Graph {
 public:
  Graph(const ModelLists& lists, const Options& options)
      : lists_(lists), options_(options), stride_(padded(lists.model().items.dim() + 2)) {
    const auto& items = lists.model().items;
    prior_ = log_prior(lists.model().item_popularity);
    double square = 0;
    for (const double value : prior_) square += value * value;
    const double deviation = std::sqrt(square / static_cast<double>(prior_.size()));
    double longest = 0, mean = 0;
    std::vector<double> norms(items.rows());
    for (std::size_t i = 0; i < items.rows(); ++i) {
      norms[i] = lists.model().score == model::Score::kCosine ? 1 : norm(items.values(i));
      mean += norms[i] / static_cast<double>(items.rows());
    }
    weight_ = deviation > 0 ? kPopularityWeight * mean / deviation : 0;
    for (std::size_t i = 0; i < items.rows(); ++i) {
      longest = std::max(longest, std::hypot(norms[i], weight_ * prior_[i]));
    }
    radius_ = longest;
  }

  bool read(const std::string& file) {
    std::error_code ignored;
    if (file.empty() || !std::filesystem::is_regular_file(file, ignored)) return false;
    const io::MappedFile mapped(file);
    const std::string_view bytes = mapped.bytes();
    const std::string head = head_of(bytes.size() > kHead ? bytes.substr(kHead) : "");
    if (bytes.size() <= kHead || bytes.substr(0, kHead) != head) return false;  // stale or damaged
    // The library reads a file of its own: one in memory, for the folder may be read-only.
    const Descriptor copy(memfd_create("graph", MFD_CLOEXEC));
    if (copy.number() < 0 || !filled(copy.number(), bytes.substr(kHead))) return false;
    try {
      graph_ = std::make_unique<hnswlib::HierarchicalNSW<float>>(
          &space_, fmt::format("/proc/self/fd/{}", copy.number()), false,
          lists_.model().items.rows());
    } catch (const std::runtime_error&) {
      graph_.reset();
    }
    return graph_ && graph_->cur_element_count == lists_.model().items.rows();
  }

  void build() {
    const std::size_t items = lists_.model().items.rows();
    graph_ = std::make_unique<hnswlib::HierarchicalNSW<float>>(&space_, items, options_.links,
                                                               options_.breadth);
    Threads threads(options_.threads);
    AlignedArray<float> first(stride_);
    point(0, first.data());
    graph_->addPoint(first.data(), 0);
    threads.for_chunks(items - 1, 256, [&](std::size_t begin, std::size_t end, int) {
      AlignedArray<float> values(stride_);
      for (std::size_t i = begin + 1; i < end + 1; ++i) {
        point(i, values.data());
        graph_->addPoint(values.data(), i);
      }
    });
  }

  bool write(const std::string& file) {
    const std::string plain = file + ".writing";
    std::error_code ignored;
    bool done = false;
    try {
      graph_->saveIndex(plain);
      const io::MappedFile mapped(plain);
      io::AtomicFile whole(file);
      whole.write(head_of(mapped.bytes()));
      whole.write(mapped.bytes());
      whole.commit();
      done = true;
    } catch (const Error&) {
      done = false;  // the folder is not ours to write: the graph lives in memory alone
    }
    std::filesystem::remove(plain, ignored);
    return done;
  }

  std::vector<Row> nearest(const ListQuery& query, std::size_t count) const {
    const std::size_t dim = lists_.model().items.dim();
    AlignedArray<float> values(stride_);
    lists_.ranking().compared(query, {values.data(), dim});
    if (query.debias > 0 && weight_ > 0) {
      values[dim] = static_cast<float>(-query.debias / weight_);
    }
    auto found = graph_->searchKnn(values.data(), count);
    std::vector<Row> rows;
    for (; !found.empty(); found.pop()) rows.push_back(static_cast<Row>(found.top().second));
    std::sort(rows.begin(), rows.end());
    return rows;
  }

 private:
  static constexpr std::size_t kHead = 64;

  // 64 bytes that tell this program's graph of this model from anything else.
  std::string head_of(std::string_view body) const {
    const model::Model& model = lists_.model();
    const std::string_view items(reinterpret_cast<const char*>(model.items.data()),
                                 model.items.size() * sizeof(float));
    const std::string_view counts(reinterpret_cast<const char*>(model.item_popularity.data()),
                                  model.item_popularity.size() * sizeof(std::uint32_t));
    std::string head = fmt::format("evenkeel-hnsw-1 {:016x}{:016x}{:08x}", data::hash_bytes(body),
                                   data::hash_bytes(items) ^ data::hash_bytes(counts) * 3,
                                   model.items.dim() * 2 + (model.score == model::Score::kDot));
    head.resize(kHead, ' ');
    return head;
  }

  static bool filled(int file, std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t put = ::write(file, bytes.data(), bytes.size());
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) return false;  // no room
      bytes.remove_prefix(static_cast<std::size_t>(put));
    }
    return true;
  }

  static double norm(std::span<const float> values) {
    double square = 0;
    for (const float value : values) square += double{value} * value;
    return std::sqrt(square);
  }
  // An item as a point of the sphere.
  void point(std::size_t item, float* out) const {
    const model::Model& model = lists_.model();
    const std::size_t dim = model.items.dim();
    const auto values = model.items.values(item);
    const double length = norm(values);
    const bool cosine = model.score == model::Score::kCosine;
    const double scale = !cosine ? 1 : length > 0 ? 1 / length : 0;
    for (std::size_t p = 0; p < dim; ++p) out[p] = static_cast<float>(scale * double{values[p]});
    out[dim] = static_cast<float>(weight_ * prior_[item]);
    const double used = scale * length * scale * length + double{out[dim]} * out[dim];
    out[dim + 1] = static_cast<float>(std::sqrt(std::max(0.0, radius_ * radius_ - used)));
  }

  // Products by this program's own kernel, at the width of this machine.
  class Space final : public hnswlib::SpaceInterface<float> {
   public:
    explicit Space(std::size_t stride) : stride_(stride) {}
    std::size_t get_data_size() override { return stride_ * sizeof(float); }
    hnswlib::DISTFUNC<float> get_dist_func() override {
      return [](const void* a, const void* b, const void* stride) {
        return -kernels::dot_anywhere(static_cast<const float*>(a), static_cast<const float*>(b),
                                      *static_cast<const std::size_t*>(stride));
      };
    }
    void* get_dist_func_param() override { return &stride_; }

   private:
    std::size_t stride_;
  };

  const ModelLists& lists_;
  Options options_;
  std::size_t stride_;
  Space space_{stride_};
  std::vector<double> prior_;
  double weight_ = 0, radius_ = 1;
  std::unique_ptr<hnswlib::HierarchicalNSW<float>> graph_;
};

bool ApproximateIndex::available() {
  return true;
}

#else

class ApproximateIndex::Graph {
 public:
  Graph(const ModelLists&, const Options&) {
    fail_config(
        "this evenkeel was built without hnswlib; leave --approximate out, or install "
        "libhnswlib-dev and build again");
  }
  bool read(const std::string&) { return false; }
  void build() {}
  bool write(const std::string&) { return false; }
  std::vector<Row> nearest(const ListQuery&, std::size_t) const { return {}; }
};

bool ApproximateIndex::available() {
  return false;
}

#endif

ApproximateIndex::ApproximateIndex(const ModelLists& lists, const std::string& file,
                                   const Options& options)
    : lists_(lists), options_(options), graph_(std::make_unique<Graph>(lists, options)) {
  kept_ = graph_->read(file);
  if (!kept_) {
    graph_->build();
    built_ = true;
    kept_ = !file.empty() && graph_->write(file);
  }
  const std::size_t items = lists.model().items.rows();
  for (candidates_ = 4 * options.k;; candidates_ *= 2) {
    recall_ = measured(candidates_);
    if (recall_ >= options.recall || candidates_ * 4 >= items) break;
  }
}

ApproximateIndex::~ApproximateIndex() = default;

List ApproximateIndex::rank_among(const ListQuery& query, std::size_t candidates) const {
  const std::vector<Row> rows = graph_->nearest(query, candidates);
  ListQuery among = query;
  among.only = rows;
  return lists_.ranking().rank(std::span(&among, 1)).front();
}

List ApproximateIndex::rank(const ListQuery& query) const {
  const std::size_t items = lists_.model().items.rows();
  // What is left out may be the very nearest: so many candidates more.
  const std::size_t wanted = std::max(candidates_, 4 * query.k) + query.masked.size();
  if (query.only || wanted * 8 >= items) return lists_.ranking().rank(std::span(&query, 1)).front();
  return rank_among(query, wanted);
}

double ApproximateIndex::measured(std::size_t candidates) const {
  const model::Model& model = lists_.model();
  const std::size_t users = std::min(model.users.rows(), kMeasuredUsers);
  std::size_t found = 0, wanted = 0;
  for (std::size_t n = 0; n < users; ++n) {
    const auto user = static_cast<Row>(n * model.users.rows() / users);
    const ListQuery query{model.users.values(user), options_.k, model.debias, {}, {}};
    const List exact = lists_.ranking().rank(std::span(&query, 1)).front();
    const List near = rank_among(query, candidates);
    wanted += exact.size();
    for (const kernels::Ranked& entry : exact) {
      found += static_cast<std::size_t>(std::count(near.begin(), near.end(), entry));
    }
  }
  return wanted == 0 ? 1 : static_cast<double>(found) / static_cast<double>(wanted);
}

}  // namespace evenkeel::rank
