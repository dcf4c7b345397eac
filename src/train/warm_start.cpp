// In: a finished run. Out: the rows that today's training begins with.
#include "train/warm_start.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cluster/agreement.h"
#include "cluster/held_rows.h"
#include "encoder/registry.h"
#include "loss/registry.h"
#include "rank/new_rows.h"
#include "train/checkpoint.h"
#include "train/complete_settings.h"
#include "train/run.h"
#include "train/run_folder.h"

namespace evenkeel::train {
namespace {

using nlohmann::json;

constexpr Row kUnknown = ~Row{0};
constexpr const char* kEncoder = "encoder";

// A loss that keeps rows of its own beside those of users and items, or ranks by other vectors than
// it trains, leaves a model that does not hold what a training needs.
bool carries_over(const loss::LossEntry& loss) {
  return loss.trains() && loss.extra_rows == nullptr && loss.ranking.vectors == nullptr;
}

void check_loss(std::string_view name, const std::string& whose) {
  if (carries_over(loss::find_loss(name))) return;
  fail_config(
      "--from cannot carry over {} loss {}, which keeps more than one row for each user and item "
      "or "
      "none at all; leave --from out",
      whose, name);
}

Settings settings_of_run(const std::string& run) {
  const std::string config = run_file(run, run_files::kConfig);
  for (const std::string_view name : {run_files::kModel, run_files::kConfig}) {
    if (has_run_file(run, name)) continue;
    fail_config("--from {}: it holds no {}; give the folder of a finished run", run, name);
  }
  Settings settings = run_settings();
  settings.load_toml(config);
  resolve_defaults(settings);
  return settings;
}

// Where final vectors are not what trains, only a checkpoint holds the rows that do.
void take_checkpoint_tables(const std::string& run, model::Model& rows) {
  const bool refit = has_run_file(run, run_files::kRefitCheckpoint);
  const std::string_view name = refit ? run_files::kRefitCheckpoint : run_files::kCheckpoint;
  if (!has_run_file(run, name)) {
    fail_config(
        "--from {}: its model holds final vectors, not the rows that encoder {} trains, and there "
        "is no {} to take them from; train it again without --checkpoint-seconds -1",
        run, rows.notes[kEncoder], name);
  }
  CheckpointTables tables = checkpoint_tables(run_file(run, name));
  if (!tables.fingerprint.starts_with(rows.origin.fingerprint) ||
      tables.users.rows() != rows.users.rows() || tables.items.rows() != rows.items.rows() ||
      tables.users.dim() != rows.users.dim() || tables.items.dim() != rows.items.dim()) {
    fail_data("--from {}: its {} is not of the training that made its model; train it again", run,
              name);
  }
  rows.users = std::move(tables.users);
  rows.items = std::move(tables.items);
}

// Today's rows in the order of yesterday's ids; kUnknown for those that are new.
std::vector<Row> matched(const data::Ids& today, const data::Ids& before) {
  std::vector<Row> rows(today.size());
  for (Row row = 0; row < today.size(); ++row) {
    rows[row] = before.find(today.text(row)).value_or(kUnknown);
  }
  return rows;
}

// Copies known rows; which are known.
std::vector<std::uint8_t> copy_rows(const Matrix& from, const std::vector<Row>& places,
                                    Matrix& table) {
  std::vector<std::uint8_t> known(places.size(), 0);
  for (std::size_t r = 0; r < places.size(); ++r) {
    if (places[r] == kUnknown) continue;
    std::copy_n(from.row(places[r]), from.stride(), table.row(r));
    known[r] = 1;
  }
  return known;
}

}  // namespace

void check_starting_rows(const model::Model& rows, const Settings& settings,
                         const std::string& run) {
  check_loss(settings.text("loss"), "the");
  const auto dim = static_cast<std::size_t>(settings.integer("dim"));
  if (rows.users.dim() != dim) {
    fail_config("--dim is {}, but the vectors of --from {} have {} numbers; give --dim {}", dim,
                run, rows.users.dim(), rows.users.dim());
  }
  const auto encoder = rows.notes.find(kEncoder);
  const std::string before = encoder != rows.notes.end() ? encoder->second : "?";
  if (before != settings.text(kEncoder)) {
    fail_config("--encoder is {}, but --from {} was trained with {}; give --encoder {}",
                settings.text(kEncoder), run, before, before);
  }
  const std::string_view score = model::score_name(rows.score);
  if (score != settings.text("score")) {
    fail_config(
        "--score is {}, but --from {} compares by {}; give --score {} or a loss that compares so",
        settings.text("score"), run, score, score);
  }
}

model::Model starting_rows(const std::string& run, const Settings& settings) {
  const Settings before = settings_of_run(run);
  check_loss(before.text("loss"), "its");
  model::Model rows = model::load_model(run_file(run, run_files::kModel));
  rows.notes[kEncoder] = before.text(kEncoder);
  check_starting_rows(rows, settings, run);
  rows.extra_tables.clear();
  rows.held.clear();
  if (!encoder::find_encoder(before.text(kEncoder)).vectors_are_tables) {
    take_checkpoint_tables(run, rows);
  }
  return rows;
}

data::Dataset keep_known_in_training(data::Dataset data, const model::Model& rows, CutHere cut,
                                     const std::string& run, Observer& observer) {
  const std::vector<Row> users = matched(data.users, rows.user_ids);
  const std::vector<Row> items = matched(data.items, rows.item_ids);
  data::PairList moved;
  const auto trained = [&](Row user, Row item) {
    return users[user] != kUnknown && items[item] != kUnknown &&
           rows.known.contains(users[user], items[item]);
  };
  const auto take_from = [&](data::Part& part, bool cut_here) {
    data::PairList left;
    const data::Csr& rows_of = part.items_of;
    for (Row user = 0; user < data.user_count(); ++user) {
      for (std::uint64_t at = rows_of.offsets[user]; at < rows_of.offsets[user + 1]; ++at) {
        (trained(user, rows_of.columns[at]) ? moved : left).add(user, rows_of, at);
      }
    }
    const std::size_t taken = part.interactions() - left.pairs.size();
    if (taken == 0) return;
    if (!cut_here) {
      fail_data(
          "{}: --from {} was trained on {} of the {} pairs of part {}, so it would be measured on "
          "what it knows by heart; take them out of {}, or leave --from out",
          data.name, run, taken, part.interactions(), part.name, part.name);
    }
    part.items_of = data::make_csr(left, data.user_count());
  };
  take_from(data.valid, cut.valid);
  for (data::Part& test : data.tests) take_from(test, cut.tests);
  if (moved.pairs.empty()) return data;
  if (data.valid.interactions() == 0) {
    fail_config(
        "every pair that was held out for validation trained --from {} already, so nothing tells "
        "when to stop; give --split none --epochs N",
        run);
  }
  observer.on_message(fmt::format(
      "{} held-out pairs trained {} already and stay training pairs; {} are left for validation",
      moved.pairs.size(), run, data.valid.interactions()));
  moved.add(data.items_of);
  std::erase_if(data.tests, [](const data::Part& test) { return test.interactions() == 0; });
  data::Csr train = data::make_csr(moved, data.user_count());
  data::Dataset moved_data = data::dataset_of_rows(
      std::move(data.name), std::move(data.users), std::move(data.items), std::move(train),
      std::move(data.valid.items_of), std::move(data.tests));
  moved_data.seen = std::move(data.seen);
  return moved_data;
}

void start_from_rows(const model::Model& rows, const data::Dataset& data, Trainer& trainer,
                     Threads& threads, cluster::Cluster& ranks) {
  // New rows are folded in from any rows of the other side: for the moment every rank has them all.
  std::array<Matrix, 2> borrowed;
  const auto whole = [&](Side side, Matrix& place) -> Matrix& {
    Matrix& own = trainer.encoder().table(side);
    if (own.holds_all()) return own;
    place = cluster::whole_table(ranks, own, trainer.encoder().owned_rows(side));
    return place;
  };
  Matrix &users = whole(Side::kUser, borrowed[0]), &items = whole(Side::kItem, borrowed[1]);
  cluster::together(ranks, [&] {
    auto known_users = copy_rows(rows.users, matched(data.users, rows.user_ids), users);
    auto known_items = copy_rows(rows.items, matched(data.items, rows.item_ids), items);
    if (trainer.encoder().vectors_are_tables()) {
      rank::fold_in_new_rows({users, known_users, data.items_of},
                             {items, known_items, data.users_of}, rows.score, threads);
    }
  });
  for (const Side side : {Side::kUser, Side::kItem}) {
    const Matrix& from = side == Side::kUser ? users : items;
    Matrix& own = trainer.encoder().table(side);
    if (&from == &own) continue;
    const RowRange held = own.held();
    std::copy(from.row(held.begin), from.row(held.end), own.row(held.begin));
  }
}

StartCover start_cover(const model::Model& rows, const data::Ids& users, const data::Ids& items) {
  const auto known = [](const std::vector<Row>& places) {
    return static_cast<std::size_t>(
        std::count_if(places.begin(), places.end(), [](Row row) { return row != kUnknown; }));
  };
  StartCover cover{known(matched(users, rows.user_ids)), known(matched(items, rows.item_ids))};
  cover.new_users = users.size() - cover.users;
  cover.new_items = items.size() - cover.items;
  return cover;
}

json start_json(const std::string& run, const model::Model& rows, const StartCover& cover) {
  return {{"run", run},
          {"fingerprint", rows.origin.fingerprint},
          {"users", cover.users},
          {"items", cover.items},
          {"new_users", cover.new_users},
          {"new_items", cover.new_items}};
}

}  // namespace evenkeel::train
