// In: entries by rank. Out: those of the others.
#include "cluster/messages.h"

#include <algorithm>
#include <cstring>

namespace evenkeel::cluster {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{32} << 10;  // copied by one thread in one go

std::size_t whole_lines(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// Grows by more than is asked for: batches differ a little.
void make_room(std::size_t bytes, AlignedArray<char>& message) {
  if (message.size() < bytes) message = AlignedArray<char>(bytes + bytes / 4);
}

}  // namespace

Messages::Messages(Cluster& cluster, Threads& threads)
    : cluster_(cluster),
      threads_(threads),
      cuts_(static_cast<std::size_t>(cluster.size()) + 1),
      received_cuts_(cuts_.size()) {}

// Cuts this rank's messages into pieces.
void Messages::lay_out(std::span<const MessagePart> parts, std::span<const Share> shares,
                       bool sending) {
  std::vector<std::size_t>& cuts = sending ? cuts_ : received_cuts_;
  const auto own = static_cast<std::size_t>(cluster_.rank());
  pieces_.clear();
  std::size_t at = 0;
  for (std::size_t r = 0; r + 1 < cuts.size(); ++r) {
    cuts[r] = at;
    if (r == own) continue;
    for (const MessagePart& part : parts) {
      const std::size_t grain = std::max<std::size_t>(1, kPieceBytes / part.unit);
      for (std::size_t k = part.cuts[r]; k < part.cuts[r + 1]; k += grain) {
        const std::size_t end = std::min(k + grain, part.cuts[r + 1]);
        pieces_.push_back({&part, nullptr, k, end, at});
        at += (end - k) * part.unit;
      }
      at = whole_lines(at);
    }
    for (const Share& share : shares) {
      const std::size_t whose = sending ? own : r;
      const std::size_t begin = share.cuts[whose] * share.unit;
      const std::size_t end = share.cuts[whose + 1] * share.unit;
      for (std::size_t k = begin; k < end; k += kPieceBytes) {
        const std::size_t last = std::min(k + kPieceBytes, end);
        pieces_.push_back({nullptr, static_cast<char*>(share.data), k, last, at});
        at += last - k;
      }
      at = whole_lines(at);
    }
  }
  cuts.back() = at;
}

void Messages::exchange(std::span<const MessagePart> sent, std::span<const MessagePart> received,
                        std::span<const Share> shares) {
  if (cluster_.alone()) return;
  lay_out(sent, shares, true);
  make_room(cuts_.back(), sent_);
  threads_.for_chunks(pieces_.size(), 1, [&](std::size_t p, std::size_t, int) {
    const Piece& piece = pieces_[p];
    char* place = sent_.data() + piece.place;
    if (piece.part != nullptr) return piece.part->copy(piece.begin, piece.end, place);
    std::memcpy(place, piece.memory + piece.begin, piece.end - piece.begin);
  });
  lay_out(received, shares, false);
  make_room(received_cuts_.back(), received_);
  cluster_.exchange(sent_.data(), cuts_, received_.data(), received_cuts_);
  threads_.for_chunks(pieces_.size(), 1, [&](std::size_t p, std::size_t, int) {
    const Piece& piece = pieces_[p];
    char* place = received_.data() + piece.place;
    if (piece.part != nullptr) return piece.part->copy(piece.begin, piece.end, place);
    std::memcpy(piece.memory + piece.begin, place, piece.end - piece.begin);
  });
}

}  // namespace evenkeel::cluster
