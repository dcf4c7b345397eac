// Results of a step that ranks have worked out between them. In: arrays of which this rank has
// written its stretch; out: the same arrays, whole, on every rank, after one message each way.
#pragma once

#include <initializer_list>
#include <span>
#include <type_traits>
#include <vector>

#include "base/matrix.h"
#include "cluster/cluster.h"

namespace evenkeel::cluster {

// An array whose entries [cuts[r], cuts[r + 1]) rank r has written; `unit` bytes each.
struct Share {
  void* data = nullptr;
  std::size_t unit = 0;
  std::span<const std::size_t> cuts;
};

inline Share share_of(Matrix& rows, std::span<const std::size_t> cuts) {
  return {rows.data(), rows.stride() * sizeof(float), cuts};
}
template <typename T>
Share share_of(std::span<T> values, std::span<const std::size_t> cuts) {
  static_assert(std::is_trivially_copyable_v<T>);
  return {values.data(), sizeof(T), cuts};
}

class Shares {
 public:
  explicit Shares(Cluster& cluster);

  Cluster& ranks() const { return cluster_; }
  // One message, however many arrays.
  void share(std::initializer_list<Share> arrays) {
    share(std::span(arrays.begin(), arrays.size()));
  }
  void share(std::span<const Share> arrays);

 private:
  Cluster& cluster_;
  std::vector<std::size_t> cuts_;  // of the message, in bytes
  std::vector<char> message_;
};

}  // namespace evenkeel::cluster
