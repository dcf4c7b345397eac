// A trained model: everything that serving needs. In: ranking vectors, ids, known items;
// out: model.safetensors, or the same read back and checked.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/matrix.h"
#include "data/csr.h"
#include "data/ids.h"

namespace evenkeel {

enum class Score { kCosine, kDot };

Score parse_score(std::string_view text);
std::string_view score_name(Score score);

struct Model {
  Matrix users, items;  // vectors that rank: score(u, i) = cosine or dot of their rows
  Score score = Score::kCosine;
  Ids user_ids, item_ids;
  Csr known;  // training items of each user, filtered from recommendations
  std::vector<std::uint32_t> item_popularity, user_popularity;
  std::map<std::string, std::string> notes;    // loss, encoder, ...: for people, not for code
  std::map<std::string, Matrix> extra_tables;  // what a method keeps beside the vectors
};

void save_model(const Model& model, const std::string& path);  // atomic
Model load_model(const std::string& path);                     // throws a data error on any damage

}  // namespace evenkeel
