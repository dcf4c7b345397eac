// What ranks send each other in a step, in one message from each to each other. In: entries for
// every other rank, and how they are written; out: theirs, at their places.
#pragma once

#include <span>
#include <vector>

#include "base/function_ref.h"
#include "base/matrix.h"
#include "base/threads.h"
#include "cluster/cluster.h"
#include "cluster/shares.h"

namespace evenkeel::cluster {

// A list of entries: those for (or from) rank r are [cuts[r], cuts[r + 1]); none for this one.
struct MessagePart {
  std::size_t unit = 0;  // bytes of an entry
  std::span<const std::size_t> cuts;
  // Writes entries [begin, end) to this place of the message, or takes them from there. Places
  // begin on cache lines if units are whole ones. Called by several threads at once.
  FunctionRef<void(std::size_t begin, std::size_t end, char* place)> copy;
};

class Messages {
 public:
  Messages(Cluster& cluster, Threads& threads);

  // Both sides list the same parts in the same order. Of a share every rank gets all stretches.
  void exchange(std::span<const MessagePart> sent, std::span<const MessagePart> received,
                std::span<const Share> shares);

 private:
  struct Piece {  // of a part; or, where there is none, so many bytes of a share
    const MessagePart* part;
    char* memory;
    std::size_t begin, end;
    std::size_t place;
  };
  void lay_out(std::span<const MessagePart> parts, std::span<const Share> shares, bool sending);

  Cluster& cluster_;
  Threads& threads_;
  std::vector<std::size_t> cuts_, received_cuts_;  // of the messages, in bytes
  std::vector<Piece> pieces_;
  AlignedArray<char> sent_, received_;
};

}  // namespace evenkeel::cluster
