// In: a model and questions. Out: lists, folded rows, and what a log holds.
#include "fitted_lists.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "base/error.h"
#include "gil.h"
#include "model/model_data.h"
#include "rank/correction.h"
#include "rank/new_rows.h"
#include "rank/recommend.h"

namespace evenkeel::python {
namespace {

// Rows [from, to) of an array.
Matrix to_matrix(const Vectors& vectors, std::size_t from, std::size_t to) {
  const auto values = vectors.view();
  Matrix matrix(to - from, vectors.shape(1));
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    for (std::size_t c = 0; c < matrix.dim(); ++c) matrix.row(r)[c] = values(from + r, c);
  }
  return matrix;
}

std::vector<Row> rows_of(const MaybeRows& rows, std::size_t limit, const char* what) {
  std::vector<Row> result;
  if (!rows) return result;
  for (const std::int64_t row : span_of(*rows)) result.push_back(checked_row(row, limit, what));
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

// What each query must not be given: what the log holds of these users, or items given by hand, and
// some for everybody.
data::Csr masks(const model::Model& model, std::size_t queries, std::size_t candidates,
                const MaybeRows& users, const MaybeMatrix& liked, std::span<const Row> everybody) {
  data::Csr given;
  if (liked) {
    given = checked_csr(span_of(std::get<0>(*liked)), span_of(std::get<1>(*liked)), candidates);
    if (given.rows() != queries) {
      fail_data("user_items has {} rows for {} users; give one row per user, in the same order",
                given.rows(), queries);
    }
  }
  data::Csr seen;
  if (users) {
    std::vector<Row> rows;
    for (const std::int64_t user : span_of(*users)) {
      rows.push_back(checked_row(user, model.known.rows(), "user"));
    }
    seen = model::seen_items(model, rows);
  }
  data::Csr result;
  std::vector<Row> row;
  for (std::size_t q = 0; q < queries; ++q) {
    row.assign(everybody.begin(), everybody.end());
    const auto add = [&](std::span<const Row> more) {
      row.insert(row.end(), more.begin(), more.end());
    };
    if (users) add(seen.row(q));
    if (liked) add(given.row(q));
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    result.columns.insert(result.columns.end(), row.begin(), row.end());
    result.offsets.push_back(result.columns.size());
  }
  return result;
}

// Rows [from, to) of a matrix.
data::Csr rows_between(const data::Csr& csr, std::size_t from, std::size_t to) {
  data::Csr part;
  part.offsets.reserve(to - from + 1);
  for (std::size_t r = from; r < to; ++r) {
    part.offsets.push_back(csr.offsets[r + 1] - csr.offsets[from]);
  }
  part.columns.assign(csr.columns.begin() + static_cast<std::ptrdiff_t>(csr.offsets[from]),
                      csr.columns.begin() + static_cast<std::ptrdiff_t>(csr.offsets[to]));
  return part;
}

// work(from, to) over `size` rows, with a look for Ctrl-C after each piece of them; without the
// GIL. A piece costs something by itself, so pieces grow until one takes a tenth of a second.
template <typename Work>
void in_pieces(std::size_t size, std::size_t piece, Interrupts& interrupts, Work work) {
  using Clock = std::chrono::steady_clock;
  for (std::size_t from = 0; from < size && !interrupts.look();) {
    const auto start = Clock::now();
    const std::size_t to = std::min(size, from + piece);
    work(from, to);
    from = to;
    if (Clock::now() - start < std::chrono::milliseconds(100)) piece *= 2;
  }
}

// A question about items, in rows.
struct Question {
  const Vectors& vectors;
  const data::Csr* masked;  // by row of the vectors; null: nothing
  std::optional<std::span<const Row>> only;
  std::size_t k;
  double debias;
  rank::Reranking reranking = {};
  const data::Csr* history = nullptr;  // training items by row of the vectors, where it reranks
};

// work(threads, vectors, from, to) over the vectors of a question; a few of them need one thread.
template <typename Work>
void in_pieces(const Question& question, int count, Interrupts& interrupts, Work work) {
  const std::size_t rows = question.vectors.shape(0);
  Threads threads(rows <= eval::Ranker::kBlock ? 1 : count);
  const auto block = eval::Ranker::kBlock * static_cast<std::size_t>(threads.count());
  in_pieces(rows, block, interrupts, [&](std::size_t from, std::size_t to) {
    work(threads, to_matrix(question.vectors, from, to), from, to);
  });
}

// Items come from an index that is kept: one user costs one pass over them and nothing else.
void rank_items(const rank::ExactIndex& index, const Question& question, int count,
                Interrupts& interrupts, std::span<std::int64_t> ids, std::span<float> scores) {
  const std::size_t k = question.k;
  in_pieces(question, count, interrupts,
            [&](Threads& threads, const Matrix& some, std::size_t from, std::size_t to) {
              threads.for_chunks(
                  to - from, eval::Ranker::kBlock, [&](std::size_t begin, std::size_t end, int) {
                    std::vector<rank::ListQuery> queries;
                    for (std::size_t q = begin; q < end; ++q) {
                      queries.push_back({some.values(q),
                                         question.reranking.candidates(k),
                                         question.debias,
                                         {},
                                         question.only});
                      if (question.masked != nullptr)
                        queries.back().masked = question.masked->row(from + q);
                    }
                    auto lists = index.rank(queries);
                    for (std::size_t q = begin; q < end; ++q) {
                      rank::List& list = lists[q - begin];
                      if (question.reranking)
                        question.reranking.apply(question.history->row(from + q), k, list);
                      for (std::size_t place = 0; place < list.size(); ++place) {
                        ids[(from + q) * k + place] = list[place].item;
                        scores[(from + q) * k + place] = list[place].score;
                      }
                    }
                  });
            });
}

void rank_users(const model::Model& model, const Question& question, int count,
                Interrupts& interrupts, std::span<std::int64_t> ids, std::span<float> scores) {
  const std::size_t k = question.k;
  in_pieces(question, count, interrupts,
            [&](Threads& threads, const Matrix& some, std::size_t from, std::size_t to) {
              const data::Csr masked = question.masked != nullptr
                                           ? rows_between(*question.masked, from, to)
                                           : data::Csr{};
              rank::rank_lists({{some, model.users, model::Score::kCosine},
                                question.masked != nullptr ? &masked : nullptr,
                                question.only.value_or(std::span<const Row>()),
                                k},
                               threads, ids.subspan(from * k, (to - from) * k),
                               scores.subspan(from * k, (to - from) * k));
            });
}

// The strength, where the score that ranks can be corrected with it.
double checked_strength(const Fitted& model, model::Score score, double strength) {
  if (rank::check_debias(strength) == 0) return 0;
  if (score != model.score) {
    fail_config("debias={} corrects the score that ranks, {}; similar vectors have none", strength,
                model::score_name(model.score));
  }
  return model.lists().checked_debias(strength);
}

// The training items of these users, or items given by hand; one row per query.
data::Csr histories(const model::Model& model, std::size_t queries, const MaybeRows& users,
                    const MaybeMatrix& given) {
  data::Csr result;
  if (given) {
    result =
        checked_csr(span_of(std::get<0>(*given)), span_of(std::get<1>(*given)), model.items.rows());
  } else if (users) {
    for (const std::int64_t user : span_of(*users)) {
      const auto items = model.known.row(checked_row(user, model.known.rows(), "user"));
      result.columns.insert(result.columns.end(), items.begin(), items.end());
      result.offsets.push_back(result.columns.size());
    }
  }
  if (result.rows() != queries) fail_data("a reranker needs one history per vector");
  return result;
}

// New rows from their neighbours among `known`: made(neighbours, threads) for each piece of them.
template <typename Made>
nb::ndarray<nb::numpy, const float> folded(const Matrix& known, const Array1<std::int64_t>& indptr,
                                           const Array1<std::int64_t>& indices, int count,
                                           std::size_t piece, Made made) {
  constexpr std::size_t kAlone = 16;  // so few are not worth a team of threads
  std::unique_ptr<Matrix> rows;
  Interrupts interrupts;
  {
    const ReleasedGil free;
    const data::Csr neighbours = checked_csr(span_of(indptr), span_of(indices), known.rows());
    rows = std::make_unique<Matrix>(neighbours.rows(), known.dim());
    Threads threads(neighbours.rows() <= kAlone ? 1 : count);
    in_pieces(neighbours.rows(), piece, interrupts, [&](std::size_t from, std::size_t to) {
      const Matrix some = made(rows_between(neighbours, from, to), threads);
      std::copy_n(some.data(), some.rows() * some.stride(), rows->row(from));
    });
  }
  interrupts.raise();
  const Matrix& all = *rows;
  const nb::capsule owner(rows.release(), [](void* p) noexcept { delete static_cast<Matrix*>(p); });
  return view(owner, all);
}

}  // namespace

nb::ndarray<nb::numpy, const float> view(nb::handle owner, const Matrix& table) {
  const std::size_t shape[] = {table.rows(), table.dim()};
  const std::int64_t strides[] = {static_cast<std::int64_t>(table.stride()), 1};
  return nb::ndarray<nb::numpy, const float>(table.data(), 2, shape, owner, strides);
}

nb::tuple rank(const Fitted& model, const Vectors& vectors, bool against_users, bool cosine,
               const MaybeRows& known, const MaybeMatrix& liked, const MaybeRows& filtered,
               const MaybeRows& only, std::size_t k, int count, double debias,
               const MaybeRerank& rerank, const MaybeRows& history_users,
               const MaybeMatrix& history_items) {
  const Matrix& table = against_users ? model.users : model.items;
  const std::size_t rows = vectors.shape(0);
  std::vector<std::int64_t> ids;
  std::vector<float> scores;
  Interrupts interrupts;
  {
    const ReleasedGil free;
    if (vectors.shape(1) != table.dim()) {
      fail_data("the vectors have {} numbers where the model's have {}", vectors.shape(1),
                table.dim());
    }
    if (known && known->size() != rows) fail_data("one user per vector is needed");
    const auto everybody = rows_of(filtered, table.rows(), "filter_items:");
    const auto among = rows_of(only, table.rows(), "items:");
    const bool masked = known || liked || filtered;
    const data::Csr mask =
        masked ? masks(model, rows, table.rows(), known, liked, everybody) : data::Csr{};
    ids.assign(rows * k, rank::kNoItem);
    scores.assign(rows * k, -std::numeric_limits<float>::infinity());
    const model::Score score = cosine ? model::Score::kCosine : model.score;
    Question question{
        vectors, masked ? &mask : nullptr, {}, k, checked_strength(model, score, debias)};
    if (only) question.only = among;
    data::Csr history;
    if (rerank) {
      question.reranking = model.lists().reranking(rerank_of(rerank));
      history = histories(model, rows, history_users, history_items);
      question.history = &history;
    }
    if (only && among.empty()) {
      // nothing is left to rank
    } else if (against_users) {
      rank_users(model, question, count, interrupts, ids, scores);
    } else {
      const auto& index = cosine ? model.lists().likeness() : model.lists().ranking();
      rank_items(index, question, count, interrupts, ids, scores);
    }
  }
  interrupts.raise();
  return nb::make_tuple(to_numpy(std::move(ids), {rows, k}),
                        to_numpy(std::move(scores), {rows, k}));
}

nb::tuple rank_row(const Fitted& model, std::int64_t row, bool item, bool filter_seen,
                   std::size_t k, double debias) {
  std::vector<std::int32_t> ids;
  std::vector<float> scores;
  {
    const ReleasedGil free;
    const rank::ModelLists& lists = model.lists();
    const Matrix& table = item ? model.items : model.users;
    const Row asking = checked_row(row, table.rows(), item ? "item" : "user");
    const auto seen = filter_seen && !item ? lists.seen(asking) : std::vector<Row>{};
    const double strength =
        checked_strength(model, item ? model::Score::kCosine : model.score, debias);
    const rank::ListQuery query{table.values(asking), k, strength, seen, {}};
    const rank::ExactIndex& index = item ? lists.likeness() : lists.ranking();
    const rank::List list = index.rank(std::span(&query, 1)).front();
    for (const kernels::Ranked& entry : list) {
      ids.push_back(static_cast<std::int32_t>(entry.item));
      scores.push_back(entry.score);
    }
  }
  const std::size_t size = ids.size();
  return nb::make_tuple(to_numpy(std::move(ids), {size}), to_numpy(std::move(scores), {size}));
}

nb::ndarray<nb::numpy, const float> fold(const Fitted& model, Array1<std::int64_t> indptr,
                                         Array1<std::int64_t> indices, int count) {
  constexpr std::size_t kPiece = 512;
  return folded(model.items, indptr, indices, count, kPiece,
                [&](const data::Csr& items_of, Threads& threads) {
                  return model.lists().fold_in().users(items_of, threads);
                });
}

nb::ndarray<nb::numpy, const float> fold_items(const Fitted& model, Array1<std::int64_t> indptr,
                                               Array1<std::int64_t> indices, int count) {
  constexpr std::size_t kPiece = 8192;  // each prepares the users anew
  return folded(model.users, indptr, indices, count, kPiece,
                [&](const data::Csr& users_of, Threads& threads) {
                  return rank::fold_in_items(model, users_of, threads);
                });
}

nb::tuple seen(const Fitted& model, Array1<std::int64_t> users, bool rated_low) {
  std::vector<Row> rows;
  for (const std::int64_t user : span_of(users)) {
    rows.push_back(checked_row(user, model.users.rows(), "user"));
  }
  const data::Csr items = model::seen_items(model, rows, rated_low);
  std::vector<std::int64_t> offsets(items.offsets.begin(), items.offsets.end());
  std::vector<std::int64_t> columns(items.columns.begin(), items.columns.end());
  const std::size_t count = offsets.size(), size = columns.size();
  return nb::make_tuple(to_numpy(std::move(offsets), {count}),
                        to_numpy(std::move(columns), {size}));
}

}  // namespace evenkeel::python
