// In: latencies. Out: quantiles, and all figures as text.
#include "serve/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace evenkeel::serve {
namespace {

constexpr double kLeast = 1e-6;
constexpr double kGrowth = 13.0 / 12.0;
constexpr std::chrono::seconds kWindow{60};
constexpr std::array<double, 4> kShares{0.5, 0.9, 0.99, 0.999};

void header(std::string& text, std::string_view name, std::string_view help,
            std::string_view type) {
  text += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type);
}

}  // namespace

void Latencies::add(double seconds) {
  const double place = std::log(std::max(seconds, kLeast) / kLeast) / std::log(kGrowth);
  ++buckets_[std::min(static_cast<std::size_t>(place), kBuckets - 1)];
  ++count_;
}

double Latencies::quantile(double share) const {
  const double wanted = share * static_cast<double>(count_);
  double passed = 0;
  for (std::size_t b = 0; b < kBuckets && count_ > 0; ++b) {
    passed += buckets_[b];
    if (passed >= wanted && buckets_[b] > 0) {
      return kLeast * std::pow(kGrowth, static_cast<double>(b) + 0.5);
    }
  }
  return 0;
}

void Metrics::record(const std::string& endpoint, int status, double seconds) {
  const std::lock_guard lock(mutex_);
  ++answers_[{endpoint, status}];
  Endpoint& one = endpoints_[endpoint];
  const auto now = Clock::now();
  if (now - one.began > kWindow) {
    one.windows[0] = now - one.began > 2 * kWindow ? Latencies() : one.windows[1];
    one.windows[1] = Latencies();
    one.began = now;
  }
  one.windows[1].add(seconds);
  ++one.count;
  one.seconds += seconds;
}

std::string Metrics::text(const std::vector<Gauge>& gauges) const {
  std::string out;
  for (const Gauge& gauge : gauges) {
    header(out, gauge.name, gauge.help, gauge.counter ? "counter" : "gauge");
    out += fmt::format("{} {}\n", gauge.name, gauge.value);
  }
  const std::lock_guard lock(mutex_);
  header(out, "evenkeel_requests_total", "Answered requests.", "counter");
  for (const auto& [key, count] : answers_) {
    out += fmt::format("evenkeel_requests_total{{endpoint=\"{}\",status=\"{}\"}} {}\n", key.first,
                       key.second, count);
  }
  constexpr std::string_view kName = "evenkeel_request_seconds";
  header(out, kName, "Time from a whole request to its answer, over the last minutes.", "summary");
  for (const auto& [name, one] : endpoints_) {
    // Until the newer window has enough for its own tail, the older one speaks.
    const Latencies& shown = one.windows[1].count() >= 1000 || one.windows[0].count() == 0
                                 ? one.windows[1]
                                 : one.windows[0];
    for (const double share : kShares) {
      out += fmt::format("{}{{endpoint=\"{}\",quantile=\"{}\"}} {:.3g}\n", kName, name, share,
                         shown.quantile(share));
    }
    out += fmt::format("{0}_sum{{endpoint=\"{1}\"}} {2:.6f}\n{0}_count{{endpoint=\"{1}\"}} {3}\n",
                       kName, name, one.seconds, one.count);
  }
  return out;
}

}  // namespace evenkeel::serve
