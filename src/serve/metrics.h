// What the service did. In: one entry per answered request; out: Prometheus text with counts and
// latencies by quantile.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace evenkeel::serve {

// Times in buckets that grow by a twelfth: a quantile is true to 8 %, from 1 us to 100 s.
class Latencies {
 public:
  void add(double seconds);
  double quantile(double share) const;  // 0 when nothing was added
  std::uint64_t count() const { return count_; }

 private:
  static constexpr std::size_t kBuckets = 240;
  std::array<std::uint32_t, kBuckets> buckets_{};
  std::uint64_t count_ = 0;
};

class Metrics {
 public:
  using Clock = std::chrono::steady_clock;
  void record(const std::string& endpoint, int status, double seconds);
  struct Gauge {
    std::string name, help;
    double value = 0;
    bool counter = false;
  };
  std::string text(const std::vector<Gauge>& gauges) const;

 private:
  // Quantiles are those of the last one to two minutes: two windows take turns.
  struct Endpoint {
    std::array<Latencies, 2> windows;
    Clock::time_point began = Clock::now();
    std::uint64_t count = 0;
    double seconds = 0;
  };
  mutable std::mutex mutex_;
  std::map<std::string, Endpoint> endpoints_;
  std::map<std::pair<std::string, int>, std::uint64_t> answers_;
};

}  // namespace evenkeel::serve
