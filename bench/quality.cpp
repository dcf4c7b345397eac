// In: data and settings. Out: when each training reaches 95 % and 99 % of its best validation.
#include "quality.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>

#include "data/load.h"
#include "data/synthetic.h"
#include "train/run.h"
#include "training.h"

namespace evenkeel::bench {
namespace {

using nlohmann::json;

// Seconds of training and validating up to each validation.
class Curve final : public train::Observer {
 public:
  struct Point {
    double seconds, recall;
  };
  bool on_epoch(const train::EpochProgress& news) override {
    if (news.phase != "train") return false;
    seconds_ += news.seconds + news.evaluate_seconds;
    if (news.recall) points_.push_back({seconds_, *news.recall});
    return false;
  }
  double best() const {
    double best = 0;
    for (const Point& point : points_) best = std::max(best, point.recall);
    return best;
  }
  double seconds_to(double share) const {
    for (const Point& point : points_) {
      if (point.recall >= share * best()) return point.seconds;
    }
    return 0;
  }
  double seconds() const { return seconds_; }
  const std::vector<Point>& points() const { return points_; }

 private:
  double seconds_ = 0;
  std::vector<Point> points_;
};

struct Source {
  std::string name;
  std::function<data::Dataset(Threads&)> load;
};

std::vector<Source> sources() {
  std::vector<Source> list;
  list.push_back({"market", [](Threads& threads) {
                    data::MarketOptions market;  // of Gowalla's size
                    market.users = 29858;
                    market.items = 40981;
                    market.interactions = 1027370;
                    return data::make_dataset(data::make_market(market, threads).parts);
                  }});
  const std::string gowalla = "../shared/data/gowalla";
  if (std::filesystem::exists(gowalla)) {
    list.push_back({"gowalla", [gowalla](Threads& threads) {
                      return data::load_for_training(gowalla, train::run_settings(), threads);
                    }});
  }
  return list;
}

struct Encoder {
  std::string name;
  Options options;
};

// A graph in large steps, as docs/performance.md advises; matrix factorisation as it comes.
const std::vector<Encoder>& encoders() {
  static const std::vector<Encoder> list{{"mf", {}},
                                         {"lightgcn",
                                          {{"encoder", "lightgcn"},
                                           {"half-width", "true"},
                                           {"negatives", "1024"},
                                           {"shared-negatives", "true"},
                                           {"batch", "16384"},
                                           {"lr", "8e-3"}}}};
  return list;
}

json measure_case(const std::string& name, const data::Dataset& data, const Options& options,
                  const std::string& loss, int threads) {
  Settings settings = train::run_settings();
  for (const auto& [option, value] : options) settings.set(option, std::string_view(value));
  settings.set("loss", std::string_view(loss));
  settings.set("threads", std::string_view(std::to_string(threads)));
  Curve curve;
  const std::atomic<bool> stop{false};
  train::fit_model({}, data, settings, curve, stop);
  fmt::print("{:36} {:>8.4f} {:>9.1f} {:>9.1f} {:>9.1f}\n", name, curve.best(),
             curve.seconds_to(0.95), curve.seconds_to(0.99), curve.seconds());
  std::fflush(stdout);
  json points = json::array();
  for (const Curve::Point& point : curve.points()) {
    points.push_back({point.seconds, point.recall});
  }
  return {{"case", name},
          {"best", curve.best()},
          {"seconds_to_95", curve.seconds_to(0.95)},
          {"seconds_to_99", curve.seconds_to(0.99)},
          {"seconds", curve.seconds()},
          {"curve", std::move(points)}};
}

}  // namespace

json run_quality(const std::string& only, int threads) {
  fmt::print("\n{:36} {:>8} {:>9} {:>9} {:>9}\n", "validation Recall@20", "best", "s to 95 %",
             "s to 99 %", "s in all");
  json report = json::array();
  for (const Source& source : sources()) {
    std::optional<data::Dataset> data;
    for (const Encoder& encoder : encoders()) {
      for (const std::string loss : {"softmax", "bc"}) {
        const std::string name = fmt::format("quality {} {} {}", source.name, encoder.name, loss);
        if (name.find(only) == std::string::npos) continue;
        Threads team(threads);
        if (!data) data = source.load(team);
        report.push_back(measure_case(name, *data, encoder.options, loss, threads));
      }
    }
  }
  return report;
}

}  // namespace evenkeel::bench
