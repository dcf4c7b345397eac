// The contract of a cluster, as ranks of a real launch keep it: `mpirun -n R test_mpi_contract`.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "cluster/agreement.h"
#include "cluster/held_rows.h"
#include "cluster/messages.h"
#include "cluster/mpi/ranks.h"
#include "cluster/shares.h"

namespace evenkeel::cluster {
namespace {

using testing::ranks;

std::size_t rank() {
  return static_cast<std::size_t>(ranks->rank());
}
std::size_t size() {
  return static_cast<std::size_t>(ranks->size());
}

// Rank r has r + 1 values, the first one of rank 1 none: stretches differ and may be empty.
std::vector<std::size_t> uneven_cuts() {
  std::vector<std::size_t> cuts{0};
  for (std::size_t r = 0; r < size(); ++r) cuts.push_back(cuts.back() + (r == 1 ? 0 : r + 1));
  return cuts;
}

std::vector<std::size_t> bytes(std::vector<std::size_t> cuts, std::size_t unit) {
  for (std::size_t& cut : cuts) cut *= unit;
  return cuts;
}

std::vector<std::uint64_t> own_values(const std::vector<std::size_t>& cuts) {
  std::vector<std::uint64_t> values(cuts.back(), 999);
  for (std::size_t k = cuts[rank()]; k < cuts[rank() + 1]; ++k) values[k] = 100 + k;
  return values;
}

std::vector<std::uint64_t> all_values(std::size_t count) {
  std::vector<std::uint64_t> values(count);
  std::iota(values.begin(), values.end(), 100U);
  return values;
}

TEST(Contract, GatherAllGivesEverybodyEverything) {
  const auto cuts = uneven_cuts();
  auto values = own_values(cuts);
  ranks->gather_all(values.data(), bytes(cuts, 8));
  EXPECT_EQ(values, all_values(cuts.back()));
}

TEST(Contract, GatherGivesTheFirstEverything) {
  const auto cuts = uneven_cuts();
  auto values = own_values(cuts);
  ranks->gather(values.data(), bytes(cuts, 8));
  EXPECT_EQ(values, ranks->first() ? all_values(cuts.back()) : own_values(cuts));
}

TEST(Contract, ExchangeTransposes) {
  // Rank s sends d + 1 times the number 10 s + d to rank d.
  std::vector<std::uint64_t> send;
  std::vector<std::size_t> send_cuts{0}, receive_cuts{0};
  for (std::size_t d = 0; d < size(); ++d) {
    send.insert(send.end(), d + 1, 10 * rank() + d);
    send_cuts.push_back(send.size());
    receive_cuts.push_back(receive_cuts.back() + rank() + 1);
  }
  std::vector<std::uint64_t> got(receive_cuts.back());
  ranks->exchange(send.data(), bytes(send_cuts, 8), got.data(), bytes(receive_cuts, 8));
  for (std::size_t s = 0; s < size(); ++s) {
    for (std::size_t k = receive_cuts[s]; k < receive_cuts[s + 1]; ++k) {
      EXPECT_EQ(got[k], 10 * s + rank());
    }
  }
}

TEST(Contract, BroadcastAndSum) {
  std::string text = ranks->first() ? "from the first" : "x";
  EXPECT_EQ(text_of_first(*ranks, text), "from the first");
  std::vector<std::uint64_t> counts{rank(), 1};
  ranks->sum(counts);
  EXPECT_EQ(counts, (std::vector<std::uint64_t>{size() * (size() - 1) / 2, size()}));
  EXPECT_TRUE(any(*ranks, rank() == size() - 1));
  EXPECT_FALSE(any(*ranks, false));
  ranks->barrier();
}

TEST(Contract, SharesOfSeveralArraysTravelTogether) {
  const auto cuts = uneven_cuts();
  auto values = own_values(cuts);
  std::vector<std::uint8_t> flags(size(), 0);
  flags[rank()] = static_cast<std::uint8_t>(rank() + 1);
  const auto one_each = even_cuts(size(), 1, ranks->size());
  Shares shares(*ranks);
  for (int again = 0; again < 2; ++again) {
    shares.share({share_of(std::span(values), cuts), share_of(std::span(flags), one_each)});
    EXPECT_EQ(values, all_values(cuts.back()));
    for (std::size_t r = 0; r < size(); ++r) EXPECT_EQ(flags[r], r + 1);
  }
}

TEST(Contract, HeldRowsComeFromWhoeverHasThem) {
  constexpr std::size_t kRows = 40;
  const auto cuts = even_cuts(kRows, 8, ranks->size());  // of six ranks some hold nothing
  Matrix part(kRows, 5, {cuts[rank()], cuts[rank() + 1]});
  for (std::size_t r = part.held().begin; r < part.held().end; ++r) {
    for (std::size_t c = 0; c < 5; ++c) part.row(r)[c] = static_cast<float>(10 * r + c);
  }
  const Matrix whole = whole_table(*ranks, part, cuts);
  EXPECT_TRUE(whole.holds_all());
  for (std::size_t r = 0; r < kRows; ++r)
    EXPECT_EQ(whole.row(r)[4], static_cast<float>(10 * r + 4));
  const std::vector<Row> wanted{0, 7, 8, 31, 39};
  const Matrix some = fetched_rows(*ranks, part, cuts, wanted);
  ASSERT_EQ(some.rows(), wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    EXPECT_EQ(some.row(k)[1], static_cast<float>(10 * wanted[k] + 1));
  }
}

TEST(Contract, OneRanksErrorIsEverybodys) {
  const int last = ranks->size() - 1;
  for (const ErrorKind kind : {ErrorKind::kRun, ErrorKind::kConfig, ErrorKind::kData}) {
    try {
      together(*ranks, [&] {
        if (ranks->rank() == last) throw Error(kind, "disk full");
      });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind);
      EXPECT_STREQ(error.what(), "disk full");
    }
  }
  int done = 0;
  on_first_rank(*ranks, [&] { ++done; });
  EXPECT_EQ(done, ranks->first() ? 1 : 0);
}

TEST(Contract, OtherValuesAreRefusedByName) {
  check_alike(*ranks, {{"--lr", "1"}, {"--tau", "2"}});
  if (ranks->alone()) return;
  const bool last = ranks->rank() == ranks->size() - 1;
  try {
    check_alike(*ranks, {{"--lr", "1"}, {"--tau", last ? "3" : "2"}});
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), "--tau is '3' on rank " +
                                             std::to_string(ranks->size() - 1) +
                                             " and '2' on rank 0; start every rank alike");
  }
}

TEST(Contract, LeavingTogetherIsNoticed) {
  EXPECT_TRUE(ranks->all_leave_within(30));
}

// Rank r has r + q + 1 lines for rank q, more than one copy's worth of them for rank 0.
std::size_t lines_between(std::size_t from, std::size_t to) {
  return from == to ? 0 : from + to + 1 + (to == 0 ? 1000 : 0);
}

struct Lines {  // of one rank: for or from each of the others
  explicit Lines(bool sending) {
    for (std::size_t r = 0; r < size(); ++r) {
      cuts.push_back(cuts.back() + (sending ? lines_between(rank(), r) : lines_between(r, rank())));
    }
    values.resize(cuts.back());
  }
  MessagePart part(bool sending) {
    copy = [this, sending](std::size_t begin, std::size_t end, char* place) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(place) % kAlignment, 0U);
      for (std::size_t k = begin; k < end; ++k, place += kAlignment) {
        sending ? std::memcpy(place, &values[k], sizeof(values[k]))
                : std::memcpy(&values[k], place, sizeof(values[k]));
      }
    };
    return {kAlignment, cuts, copy};
  }
  std::vector<std::size_t> cuts{0};
  std::vector<std::size_t> values;
  std::function<void(std::size_t, std::size_t, char*)> copy;
};

TEST(Messages, BringWhatIsMeantForEachAndSharesToAll) {
  Threads threads(2);
  Messages messages(*ranks, threads);
  const auto cuts = uneven_cuts();
  for (int round = 0; round < 3; ++round) {
    Lines sent(true), received(false);
    const auto value = [&](std::size_t from, std::size_t to, std::size_t k) {
      return ((static_cast<std::size_t>(round) * 100 + from) * 100 + to) * 10000 + k;
    };
    for (std::size_t r = 0; r < size(); ++r) {
      for (std::size_t k = sent.cuts[r]; k < sent.cuts[r + 1]; ++k) {
        sent.values[k] = value(rank(), r, k - sent.cuts[r]);
      }
    }
    auto numbers = own_values(cuts);
    std::string letters(cuts.back(), '?');
    for (std::size_t k = cuts[rank()]; k < cuts[rank() + 1]; ++k) {
      letters[k] = static_cast<char>('a' + k);
    }
    const std::vector<MessagePart> out{sent.part(true)}, in{received.part(false)};
    const std::vector<Share> shares{share_of(std::span(letters), cuts),
                                    share_of(std::span(numbers), cuts)};
    messages.exchange(out, in, shares);
    EXPECT_EQ(numbers, all_values(cuts.back()));
    for (std::size_t k = 0; k < letters.size(); ++k)
      EXPECT_EQ(letters[k], static_cast<char>('a' + k));
    for (std::size_t r = 0; r < size(); ++r) {
      for (std::size_t k = received.cuts[r]; k < received.cuts[r + 1]; ++k) {
        EXPECT_EQ(received.values[k], value(r, rank(), k - received.cuts[r]));
      }
    }
  }
}

}  // namespace
}  // namespace evenkeel::cluster

int main(int argc, char** argv) {
  return evenkeel::testing::run_on_ranks(argc, argv);
}
