// In: errors and texts by rank. Out: one error for all, or none.
#include "cluster/agreement.h"

#include <algorithm>
#include <vector>

namespace evenkeel::cluster {
namespace {

// A text of every rank, by rank.
std::vector<std::string> texts_of_all(Cluster& cluster, const std::string& own) {
  const auto ranks = static_cast<std::size_t>(cluster.size());
  const auto here = static_cast<std::size_t>(cluster.rank());
  std::vector<std::uint64_t> sizes(ranks, 0);
  sizes[here] = own.size();
  cluster.sum(sizes);
  std::vector<std::size_t> cuts(ranks + 1, 0);
  for (std::size_t r = 0; r < ranks; ++r) cuts[r + 1] = cuts[r] + sizes[r];
  std::string all(cuts.back(), '\0');
  std::copy(own.begin(), own.end(), all.begin() + static_cast<std::ptrdiff_t>(cuts[here]));
  cluster.gather_all(all.data(), cuts);
  std::vector<std::string> texts;
  for (std::size_t r = 0; r < ranks; ++r) texts.push_back(all.substr(cuts[r], sizes[r]));
  return texts;
}

constexpr ErrorKind kKinds[] = {ErrorKind::kRun, ErrorKind::kConfig, ErrorKind::kData,
                                ErrorKind::kInterrupted};

}  // namespace

void together(Cluster& cluster, FunctionRef<void()> work) {
  if (cluster.alone()) return work();
  std::string outcome;  // empty: fine; else a digit for the kind and the sentence
  try {
    work();
  } catch (const Error& error) {
    outcome = static_cast<char>('0' + static_cast<int>(error.kind()));
    outcome += error.what();
  }
  if (!any(cluster, !outcome.empty())) return;
  for (const std::string& text : texts_of_all(cluster, outcome)) {
    if (text.empty()) continue;
    for (const ErrorKind kind : kKinds) {
      if (static_cast<int>(kind) == text[0] - '0') throw Error(kind, text.substr(1));
    }
  }
}

void on_first_rank(Cluster& cluster, FunctionRef<void()> work) {
  together(cluster, [&] {
    if (cluster.first()) work();
  });
}

std::string text_of_first(Cluster& cluster, std::string text) {
  if (cluster.alone()) return text;
  std::uint64_t size = cluster.first() ? text.size() : 0;
  cluster.sum({&size, 1});
  text.resize(size);
  cluster.broadcast(text.data(), text.size(), 0);
  return text;
}

void check_alike(Cluster& cluster, const std::map<std::string, std::string>& values) {
  if (cluster.alone()) return;
  for (const auto& [name, value] : values) {
    const std::vector<std::string> texts = texts_of_all(cluster, value);
    for (std::size_t r = 1; r < texts.size(); ++r) {
      if (texts[r] == texts[0]) continue;
      fail_config("{} is '{}' on rank {} and '{}' on rank 0; start every rank alike", name,
                  texts[r], r, texts[0]);
    }
  }
}

}  // namespace evenkeel::cluster
