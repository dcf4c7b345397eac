// In: recall, NDCG and tail share of every method. Out: the order they make, in words.
#include "cli/demo_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/numbers.h"

namespace evenkeel::cli {
namespace {

constexpr const char* kUnbiased = "test_unbiased";
constexpr const char* kImbalanced = "test_id";
constexpr const char* kBalanced = "test_ood";
constexpr const char* kRecall = "recall@20";

double percent_more(double a, double b) {
  return b > 0 ? 100 * (a / b - 1) : 0;
}

const DemoResult* find(const std::vector<DemoResult>& results, std::string_view method) {
  const auto found = std::find_if(results.begin(), results.end(),
                                  [&](const DemoResult& r) { return r.method == method; });
  return found == results.end() ? nullptr : &*found;
}

std::vector<const DemoResult*> by_recall(const std::vector<DemoResult>& results, const char* part) {
  std::vector<const DemoResult*> order;
  order.reserve(results.size());
  for (const DemoResult& result : results) order.push_back(&result);
  std::stable_sort(order.begin(), order.end(), [&](const DemoResult* a, const DemoResult* b) {
    return a->figure(part, kRecall) > b->figure(part, kRecall);
  });
  return order;
}

// Where items are shown without regard to popularity: who leads, and where BC stands.
std::string unbiased_sentence(const std::vector<DemoResult>& results) {
  const auto order = by_recall(results, kUnbiased);
  std::string ranking;
  for (const DemoResult* result : order) {
    ranking += fmt::format("{}{} {:.4f}", ranking.empty() ? "" : ", ", result->method,
                           result->figure(kUnbiased, kRecall));
  }
  const DemoResult& first = *order[0];
  const double lead =
      percent_more(first.figure(kUnbiased, kRecall), order[1]->figure(kUnbiased, kRecall));
  std::string sentence = fmt::format("On the unbiased test {} leads {} by {:.1f} % Recall@20 ({})",
                                     first.method, order[1]->method, lead, ranking);
  if (!first.method.starts_with("bc")) sentence += ", so BC does not win on this market";
  sentence += '.';
  return sentence;
}

// How popular the lists are. Where no method reaches the tail, the mean popularity still tells.
std::string lists_clause(const DemoResult& bc, const DemoResult& softmax) {
  constexpr double kVisible = 0.001;
  const double bc_tail = bc.figure(kUnbiased, "tail_share@20");
  const double softmax_tail = softmax.figure(kUnbiased, "tail_share@20");
  if (std::max(bc_tail, softmax_tail) >= kVisible) {
    return fmt::format(
        "BC gives {} of the places in its lists to tail items where softmax gives {}",
        report::share_text(bc_tail), report::share_text(softmax_tail));
  }
  return fmt::format(
      "Neither BC nor softmax lists tail items (under 0.1 %); an item they list has {:.0f} and "
      "{:.0f} training interactions on average",
      bc.figure(kUnbiased, "mean_popularity@20"), softmax.figure(kUnbiased, "mean_popularity@20"));
}

// What the margins change against plain softmax: the lists and the usual test.
std::string softmax_sentence(const DemoResult& bc, const DemoResult& softmax) {
  const double change =
      percent_more(bc.figure(kImbalanced, kRecall), softmax.figure(kImbalanced, kRecall));
  return fmt::format(
      "{}, and on the imbalanced test, which rewards popularity, the Recall@20 of BC is {:.1f} % "
      "{} "
      "than that of softmax.",
      lists_clause(bc, softmax), std::abs(change), change < 0 ? "lower" : "higher");
}

// What the correction changes: tail items in the lists, and Recall where items are shown alike.
std::string correction_sentence(const DemoResult& with, const DemoResult& without) {
  const auto change = [&](const char* part) {
    const double percent = percent_more(with.figure(part, kRecall), without.figure(part, kRecall));
    return fmt::format("{:.1f} % {}", std::abs(percent), percent < 0 ? "lower" : "higher");
  };
  return fmt::format(
      "With the popularity correction that --goal balanced chooses on validation, {} of the places "
      "in the lists of BC go to tail items instead of {}; its Recall@20 is {} on the balanced test "
      "and {} on the imbalanced one.",
      report::share_text(with.figure(kUnbiased, "tail_share@20")),
      report::share_text(without.figure(kUnbiased, "tail_share@20")), change(kBalanced),
      change(kImbalanced));
}

}  // namespace

double DemoResult::figure(const std::string& part, const std::string& key) const {
  const auto entry = evaluations.find(part);
  if (entry == evaluations.end()) return 0;
  return entry->value(key, 0.0);
}

std::string demo_verdict(const std::vector<DemoResult>& results) {
  if (results.size() < 2) return "";
  std::string verdict = unbiased_sentence(results);
  const DemoResult* bc = find(results, "bc");
  const DemoResult* softmax = find(results, "softmax");
  if (bc != nullptr && softmax != nullptr)
    verdict += fmt::format("\n{}", softmax_sentence(*bc, *softmax));
  const DemoResult* balanced = find(results, kBalancedMethod);
  if (bc != nullptr && balanced != nullptr)
    verdict += fmt::format("\n{}", correction_sentence(*balanced, *bc));
  return verdict;
}

}  // namespace evenkeel::cli
