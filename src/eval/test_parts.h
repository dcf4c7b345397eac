// What an evaluation is made on, and what the model was trained on of it. In: a model and a source
// of tests; out: parts in the model's rows, masks, and how many of their pairs trained.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/settings.h"
#include "base/threads.h"
#include "data/interactions.h"
#include "eval/evaluate.h"
#include "eval/model_rows.h"
#include "model/model.h"

namespace evenkeel::eval {

// Pairs of a part that the model was trained on: its figure would count what it has learned by
// heart.
struct Overlap {
  std::string part;
  std::size_t trained = 0, pairs = 0;
};

// Options of reading that a command gave: they win over how the model's own data was read.
using Reading = std::vector<std::pair<std::string, Value>>;

struct TestParts {
  data::Dataset data;               // in the model's rows; its training pairs are the model's
  std::vector<data::Csr> beside;    // masked with every part, beside what `data` says
  bool as_trained = false;          // the very parts that the training was given
  LeftOut left_out;                 // what the model has no row for
  std::vector<Overlap> overlaps;    // parts that hold trained pairs, and only those
  bool trained_validation = false;  // it trained the model (refit) and is left out
};

// One file, read as the model's own log was unless `reading` says otherwise. `all_seen`: rows below
// --min-rating are wanted, too, whoever they name (data::ReadOptions).
data::Interactions read_log(const model::Model& model, const std::string& path,
                            const Reading& reading, Threads& threads, bool all_seen = false);

// The parts that the model remembers. A data error when it remembers none.
TestParts own_parts(const model::Model& model, const std::string& run = "");  // `run` for errors
// A folder of parts as it is; a log is cut as the model's was if it is that log, else it is one
// test, whole.
TestParts parts_of_path(const model::Model& model, const std::string& path, const Reading& reading,
                        Threads& threads);
// One file, whole.
TestParts whole_test(const model::Model& model, const std::string& path, const Reading& reading,
                     Threads& threads);
// Data in memory: its parts, looked up by id, or in the model's own rows.
TestParts parts_of_data(const model::Model& model, const data::Dataset& data);
TestParts parts_of_rows(const model::Model& model, data::Csr test);

// Refuses (a data error with the shares and the remedy) unless the parts are the training's own or
// `allow` is given; otherwise the sentence that must be said, empty when nothing overlaps.
std::string check_overlap(const TestParts& parts, bool allow);

// Every part that has interactions, validation first.
struct PartEvaluation {
  std::string part;
  Evaluation evaluation;
};
std::vector<PartEvaluation> evaluate_parts(const VectorView& vectors, const data::Dataset& data,
                                           std::span<const data::Csr> beside,
                                           const EvaluateOptions& options, Threads& threads,
                                           const ListRule* rule = nullptr,
                                           const DividedUsers& divided = cluster::alone());

}  // namespace evenkeel::eval
