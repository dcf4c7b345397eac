// In: names and numbers that people give. Out: reranked lists, or one sentence.
#include "rank/reranking.h"

#include <algorithm>

#include "base/error.h"
#include "base/registry.h"
#include "rank/correction.h"

namespace evenkeel::rank {
namespace {

constexpr std::string_view kOwnStrength = "auto";
constexpr std::size_t kMostCandidates = 1'000'000;

std::string names_of_rerankers() {
  std::string names;
  for (const RerankerEntry& entry : rerankers()) {
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  }
  return names;
}

// The strength goes through the reranker's own field, so that its range is said once.
double strength_of(const RerankerEntry& entry, const std::optional<std::string>& text) {
  const Field& own = entry.fields.front();
  if (!text || *text == kOwnStrength) return std::get<double>(own.default_value);
  Settings settings(std::span(&own, 1));
  settings.set(own.name, std::string_view(*text), fmt::format("the strength of {}", entry.name));
  return settings.number(own.name);
}

}  // namespace

std::span<const Field> rerank_fields() {
  static const std::vector<Field> fields{
      {"rerank", std::string(kNoReranker),
       "make lists of the best candidates by popularity group: calibrated, xquad or compensation"},
      {"rerank-strength", std::string(kOwnStrength),
       "how far it may leave the ranking: 0 not at all, 1 the most (compensation: 100); auto: the "
       "reranker's default"},
      {"rerank-candidates", std::int64_t{100}, "candidates of a user that it chooses from", 1,
       static_cast<double>(kMostCandidates)}};
  return fields;
}

RerankWords rerank_words(const Settings& settings) {
  return rerank_words(settings, settings.text("rerank"));
}

RerankWords rerank_words(const Settings& settings, std::string_view name) {
  RerankWords words{std::string(name)};
  if (settings.is_set("rerank-strength")) words.strength = settings.text("rerank-strength");
  if (settings.is_set("rerank-candidates")) {
    words.candidates = static_cast<std::size_t>(settings.integer("rerank-candidates"));
  }
  return words;
}

RerankAsk rerank_ask(const RerankWords& words) {
  RerankAsk ask;
  if (words.name == kNoReranker) {
    if (words.strength || words.candidates) {
      fail_config("{} of a reranker {} given, but no reranker; name one ({}), or leave {} out",
                  words.strength ? "the strength" : "the candidates", words.strength ? "is" : "are",
                  names_of_rerankers(), words.strength ? "it" : "them");
    }
    return ask;
  }
  ask.entry = &find_reranker(words.name);
  ask.strength = strength_of(*ask.entry, words.strength);
  ask.candidates = words.candidates.value_or(ask.candidates);
  if (ask.candidates < 1 || ask.candidates > kMostCandidates) {
    fail_config("a reranker cannot choose from {} candidates; give from 1 to {}", ask.candidates,
                kMostCandidates);
  }
  return ask;
}

Reranking::Reranking(const RerankAsk& ask, const RerankInputs& inputs) {
  if (ask.entry == nullptr) return;
  if (evenly_popular(inputs.item_popularity)) {
    fail_data(
        "every item is equally popular, so there is no head, mid and tail to rerank by; leave the "
        "reranker ({}) out",
        ask.entry->name);
  }
  Settings settings(ask.entry->fields);
  settings.set(ask.entry->fields.front().name, Value(ask.strength));
  reranker_ = ask.entry->make(settings, inputs);
  candidates_ = ask.candidates;
}

std::size_t Reranking::candidates(std::size_t k) const {
  return reranker_ ? std::max(k, candidates_) : k;
}

void Reranking::apply(std::span<const Row> history, std::size_t k,
                      std::vector<kernels::Ranked>& list) const {
  if (!reranker_) return;
  std::vector<kernels::Ranked> chosen;
  reranker_->rerank(history, list, k, chosen);
  list = std::move(chosen);
}

RerankRule::RerankRule(const Reranking& reranking, const data::Csr& history, std::size_t k,
                       int workers)
    : reranking_(reranking),
      history_(history),
      k_(k),
      lists_(static_cast<std::size_t>(workers)),
      rule_{reranking.candidates(k), *this} {}

std::span<const kernels::Ranked> RerankRule::operator()(Row user,
                                                        std::span<const kernels::Ranked> best,
                                                        int worker) const {
  std::vector<kernels::Ranked>& list = lists_[static_cast<std::size_t>(worker)];
  const auto history = user < history_.rows() ? history_.row(user) : std::span<const Row>();
  reranking_.reranker_->rerank(history, best, k_, list);
  return list;
}

}  // namespace evenkeel::rank
