// In: stretches of bytes. Out: everybody's, over MPI's collectives. MPI itself ends the program
// when one of its calls fails: there is nothing to go on with.
#include "cluster/mpi/mpi_cluster.h"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

#include "base/error.h"

namespace evenkeel::cluster {
namespace {

// MPI counts in int: what is longer goes in pieces.
constexpr std::size_t kMost = std::numeric_limits<int>::max();
constexpr std::size_t kPiece = std::size_t{1} << 30;
constexpr int kExchange = 1;  // the tag of its messages

class MpiCluster final : public Cluster {
 public:
  MpiCluster(int* argc, char*** argv) {
    int level = 0;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm_dup(MPI_COMM_WORLD, &leaving_);
    counts_.resize(static_cast<std::size_t>(size_));
    places_.resize(counts_.size());
  }
  ~MpiCluster() override { MPI_Finalize(); }
  MpiCluster(const MpiCluster&) = delete;
  MpiCluster& operator=(const MpiCluster&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void gather_all(void* data, std::span<const std::size_t> cuts) override {
    check_order(1, cuts.back());
    count_received(cuts);
    if (cuts.back() > kMost) {
      for (int r = 0; r < size_; ++r) send_pieces(data, cuts, r);
      return;
    }
    to_counts(cuts, counts_, places_);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, counts_.data(), places_.data(),
                   MPI_BYTE, MPI_COMM_WORLD);
  }

  void gather(void* data, std::span<const std::size_t> cuts) override {
    check_order(2, cuts.back());
    if (rank_ == 0) count_received(cuts);
    for (int r = 1; r < size_; ++r) {
      if (rank_ != 0 && rank_ != r) continue;
      for_pieces(data, cuts, r, [&](char* piece, int bytes) {
        if (rank_ == 0) {
          MPI_Recv(piece, bytes, MPI_BYTE, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
          MPI_Send(piece, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        }
      });
    }
  }

  void exchange(const void* send, std::span<const std::size_t> send_cuts, void* receive,
                std::span<const std::size_t> receive_cuts) override {
    check_order(3, 0);  // every rank has cuts of its own here
    count_received(receive_cuts);
    // All at once: a collective would take one partner after the other.
    requests_.clear();
    char* to = static_cast<char*>(receive);
    char* from = static_cast<char*>(const_cast<void*>(send));  // MPI only reads it
    for (int step = 1; step < size_; ++step) {  // begin with the next rank, not all with the first
      const int source = (rank_ + size_ - step) % size_;
      for_pieces(to, receive_cuts, source, [&](char* piece, int bytes) {
        MPI_Irecv(piece, bytes, MPI_BYTE, source, kExchange, MPI_COMM_WORLD, next_request());
      });
    }
    for (int step = 1; step < size_; ++step) {
      const int target = (rank_ + step) % size_;
      for_pieces(from, send_cuts, target, [&](char* piece, int bytes) {
        MPI_Isend(piece, bytes, MPI_BYTE, target, kExchange, MPI_COMM_WORLD, next_request());
      });
    }
    const auto own = static_cast<std::size_t>(rank_);
    if (const std::size_t bytes = send_cuts[own + 1] - send_cuts[own]; bytes > 0) {
      std::memcpy(to + receive_cuts[own], from + send_cuts[own], bytes);
    }
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }

  void broadcast(void* data, std::size_t bytes, int from) override {
    check_order(4, bytes);
    if (rank_ != from) received_ += bytes;
    std::vector<std::size_t> cuts(static_cast<std::size_t>(size_) + 1, 0);
    std::fill(cuts.begin() + from + 1, cuts.end(), bytes);
    send_pieces(data, cuts, from);
  }

  void sum(std::span<std::uint64_t> values) override {
    check_order(5, values.size());
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_UINT64_T,
                  MPI_SUM, MPI_COMM_WORLD);
  }

  void barrier() override {
    check_order(6, 0);
    MPI_Barrier(MPI_COMM_WORLD);
  }

  bool all_leave_within(double seconds) override {
    MPI_Request request;
    MPI_Ibarrier(leaving_, &request);
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    for (;;) {
      int done = 0;
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      if (done != 0) return true;
      if (std::chrono::steady_clock::now() >= end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  [[noreturn]] void abort(int exit_code) override {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::_Exit(exit_code);
  }

  std::uint64_t received_bytes() const override { return received_; }

 private:
  // Ranks that call different collectives wait for each other for ever or, worse, do not: debug
  // builds compare every call.
  void check_order([[maybe_unused]] std::uint64_t call, [[maybe_unused]] std::size_t bytes) {
#ifndef NDEBUG
    const std::uint64_t here = call << 56 | (bytes & ((std::uint64_t{1} << 56) - 1));
    std::uint64_t ends[2] = {here, ~here}, most[2];
    MPI_Allreduce(ends, most, 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    EVENKEEL_CHECK(most[0] == here && most[1] == ~here);
#endif
  }

  void count_received(std::span<const std::size_t> cuts) {
    const auto own = static_cast<std::size_t>(rank_);
    received_ += cuts.back() - cuts.front() - (cuts[own + 1] - cuts[own]);
  }

  static void to_counts(std::span<const std::size_t> cuts, std::vector<int>& counts,
                        std::vector<int>& places) {
    for (std::size_t r = 0; r < counts.size(); ++r) {
      counts[r] = static_cast<int>(cuts[r + 1] - cuts[r]);
      places[r] = static_cast<int>(cuts[r]);
    }
  }

  MPI_Request* next_request() {
    requests_.push_back(MPI_REQUEST_NULL);
    return &requests_.back();
  }

  template <typename Visit>
  void for_pieces(void* data, std::span<const std::size_t> cuts, int from, Visit visit) {
    const std::size_t end = cuts[static_cast<std::size_t>(from) + 1];
    for (std::size_t at = cuts[static_cast<std::size_t>(from)]; at < end; at += kPiece) {
      visit(static_cast<char*>(data) + at, static_cast<int>(std::min(kPiece, end - at)));
    }
  }

  // Rank `from`'s stretch, to everybody.
  void send_pieces(void* data, std::span<const std::size_t> cuts, int from) {
    for_pieces(data, cuts, from, [&](char* piece, int bytes) {
      MPI_Bcast(piece, bytes, MPI_BYTE, from, MPI_COMM_WORLD);
    });
  }

  int rank_ = 0, size_ = 1;
  MPI_Comm leaving_ = MPI_COMM_NULL;
  std::uint64_t received_ = 0;
  std::vector<int> counts_, places_;
  std::vector<MPI_Request> requests_;
};

}  // namespace

std::unique_ptr<Cluster> mpi_cluster(int* argc, char*** argv) {
  return std::make_unique<MpiCluster>(argc, argv);
}

}  // namespace evenkeel::cluster
