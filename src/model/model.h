// A trained model: everything that serving and evaluating need. In: ranking vectors, ids, the pairs
// of the log; out: model.safetensors, or the same read back and checked.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/matrix.h"
#include "data/csr.h"
#include "data/dataset.h"
#include "data/ids.h"

namespace evenkeel::model {

enum class Score { kCosine, kDot };

inline constexpr std::string_view kModelFile = "model.safetensors";  // its name in a run folder
inline constexpr double kMostDebias = 100;  // the strongest popularity correction

Score parse_score(std::string_view text);
std::string_view score_name(Score score);

// Where a model's data came from: enough to read it the same way again, and to tell other data.
struct Origin {
  std::string fingerprint;                     // of the data set as it was trained; may be empty
  std::map<std::string, std::string> options;  // of reading and splitting: format, split, seed, ...
};

struct Model {
  Matrix users, items;  // vectors that rank: score(u, i) = cosine or dot of their rows
  Score score = Score::kCosine;
  // T of the popularity correction for this score (0: unknown), and the strength that training
  // chose or was given: lists are made with it unless another is asked for (rank/correction.h).
  double temperature = 0, debias = 0;
  data::Ids user_ids, item_ids;
  data::Csr known;  // the pairs that trained, user -> items
  std::vector<data::Part>
      held;        // the rest of the log: "valid" and tests; lists for people leave both out
  data::Csr seen;  // rows of the log below --min-rating (data::Dataset::seen); lists leave them out
  Origin origin;
  std::vector<std::uint32_t> item_popularity, user_popularity;
  std::map<std::string, std::string> notes;    // loss, encoder, ...: for people, not for code
  std::map<std::string, Matrix> extra_tables;  // what a method keeps beside the vectors
};

void save_model(const Model& model, const std::string& path);  // atomic
Model load_model(const std::string& path);                     // throws a data error on any damage

}  // namespace evenkeel::model
