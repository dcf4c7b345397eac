// In: stretches of arrays. Out: whole arrays.
#include "cluster/shares.h"

#include <cstring>

namespace evenkeel::cluster {

Shares::Shares(Cluster& cluster)
    : cluster_(cluster), cuts_(static_cast<std::size_t>(cluster.size()) + 1) {}

void Shares::share(std::span<const Share> arrays) {
  if (cluster_.alone()) return;
  if (arrays.size() == 1) {  // where it is
    const Share& only = arrays[0];
    for (std::size_t r = 0; r < cuts_.size(); ++r) cuts_[r] = only.cuts[r] * only.unit;
    cluster_.gather_all(only.data, cuts_);
    cuts_[0] = 0;
    return;
  }
  const auto ranks = static_cast<std::size_t>(cluster_.size());
  const auto own = static_cast<std::size_t>(cluster_.rank());
  for (std::size_t r = 0; r < ranks; ++r) {
    cuts_[r + 1] = cuts_[r];
    for (const Share& array : arrays) {
      cuts_[r + 1] += (array.cuts[r + 1] - array.cuts[r]) * array.unit;
    }
  }
  if (message_.size() < cuts_[ranks]) message_.resize(cuts_[ranks]);
  // visit(place in the message, place in an array, bytes) for what rank r has written
  const auto each = [&](std::size_t r, auto visit) {
    char* at = message_.data() + cuts_[r];
    for (const Share& array : arrays) {
      const std::size_t bytes = (array.cuts[r + 1] - array.cuts[r]) * array.unit;
      if (bytes > 0) visit(at, static_cast<char*>(array.data) + array.cuts[r] * array.unit, bytes);
      at += bytes;
    }
  };
  each(own, [](char* at, const char* from, std::size_t bytes) { std::memcpy(at, from, bytes); });
  cluster_.gather_all(message_.data(), cuts_);
  for (std::size_t r = 0; r < ranks; ++r) {
    if (r == own) continue;
    each(r, [](const char* at, char* to, std::size_t bytes) { std::memcpy(to, at, bytes); });
  }
}

}  // namespace evenkeel::cluster
