// The formulas in double precision against golden losses: 1e-6 relative. (MF and the extractor: the
// vectors are the tables.)
#include <gtest/gtest.h>

#include <cmath>

#include "golden/golden_file.h"
#include "loss/formulas.h"

namespace evenkeel::testing {
namespace {

using nlohmann::json;
using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += a[c] * b[c];
  return sum;
}
double cosine(const Vector& a, const Vector& b) {
  return dot(a, b) / std::sqrt(dot(a, a) * dot(b, b));
}

struct Toy {
  const json& golden;
  bool popularity;  // the extractor's tables instead of users and items
  Vector vector(Side side, std::size_t row) const {
    const std::string name = side == Side::kUser ? "user" : "item";
    if (!popularity) return golden["tables"][name][row];
    return golden["tables"][name + "_pop"]
                 [golden[name + "_popularity_index"][row].get<std::size_t>()];
  }
  double similarity(std::size_t user, std::size_t item, bool cosine_similarity) const {
    const Vector u = vector(Side::kUser, user), v = vector(Side::kItem, item);
    return cosine_similarity ? cosine(u, v) : dot(u, v);
  }
};

double margin_of(const json& golden, const std::string& name, std::size_t b) {
  if (name == "bc_angle_lambda_0.5") return 0.5 * golden["margin_angle"][b].get<double>();
  if (name.starts_with("bc_angle")) return golden["margin_angle"][b];
  if (name == "bc_sigmoid") return golden["margin_sigmoid"][b];
  return std::stod(name.substr(std::string("bc_constant_").size()));
}

// Losses that src/loss/formulas.h holds; the others are tested where they live.
bool has_formula(const GoldenCase& one) {
  static const std::vector<std::string> kNames{"softmax",
                                               "bc_angle",
                                               "bc_angle_lambda_0.5",
                                               "bc_sigmoid",
                                               "bc_constant_0.3",
                                               "bc_constant_3.0_capped",
                                               "bpr",
                                               "bce",
                                               "ccl",
                                               "popularity_extractor"};
  return one.encoder == "mf" && std::find(kNames.begin(), kNames.end(), one.name) != kNames.end();
}

std::vector<GoldenCase> formula_cases() {
  std::vector<GoldenCase> cases = golden_cases();
  std::erase_if(cases, [](const GoldenCase& one) { return !has_formula(one); });
  return cases;
}

class Formulas : public ::testing::TestWithParam<GoldenCase> {};

TEST_P(Formulas, MatchGoldenLossInDouble) {
  const json golden = read_golden(GetParam().source, "losses.json");
  const json& parameters = golden["parameters"];
  const std::string& name = GetParam().name;
  const bool single = name == "bpr" || name == "bce";
  const Toy toy{golden, name == "popularity_extractor"};
  double total = 0;
  const std::size_t batch = golden["batch_users"].size();
  for (std::size_t b = 0; b < batch; ++b) {
    const std::size_t user = golden["batch_users"][b];
    std::vector<std::size_t> drawn = golden["batch_negatives"][b];
    if (single) drawn.resize(1);
    double positive = toy.similarity(user, golden["batch_items"][b], !single);
    Vector negatives;
    for (const std::size_t j : drawn) negatives.push_back(toy.similarity(user, j, !single));
    Vector d_negatives(negatives.size());
    double d_positive = 0;
    if (name.starts_with("bc_")) {
      const double margin = margin_of(golden, name, b);
      positive =
          loss::formulas::with_margin(positive, margin, std::cos(margin), std::sin(margin)).cosine;
    }
    const std::size_t n = negatives.size();
    if (name == "bpr") {
      total +=
          loss::formulas::bpr(positive, negatives.data(), n, n, d_positive, d_negatives.data());
    } else if (name == "bce") {
      total +=
          loss::formulas::bce(positive, negatives.data(), n, n, d_positive, d_negatives.data());
    } else if (name == "ccl") {
      total += loss::formulas::ccl(
          positive, negatives.data(), n, n, parameters["ccl_weight"].get<double>(),
          parameters["ccl_margin"].get<double>(), d_positive, d_negatives.data());
    } else {
      const double tau = parameters[toy.popularity ? "tau_extractor" : "tau"];
      total += loss::formulas::softmax(positive, negatives.data(), n, tau, d_positive,
                                       d_negatives.data());
    }
  }
  const double expected = find_case(golden, GetParam())["loss"];
  EXPECT_NEAR(total / static_cast<double>(batch), expected, 1e-6 * std::abs(expected));
}

INSTANTIATE_TEST_SUITE_P(Golden, Formulas, ::testing::ValuesIn(formula_cases()),
                         [](const auto& info) { return case_label(info.param); });

}  // namespace
}  // namespace evenkeel::testing
