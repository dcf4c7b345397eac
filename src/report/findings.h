// What the figures say, in a sentence a method. In: a data set of the report with its methods,
// runs and comparisons; out: sentences made of comparisons between the numbers, whoever won.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace evenkeel::report {

// `data_set` and `runs` as in web/src/data.ts; the method by its index in the data set.
std::string method_finding(const nlohmann::json& data_set, const nlohmann::json& runs,
                           std::size_t method);

// The part that tells most about bias: the test whose items are nearest to evenly distributed;
// "valid" without tests, "" without figures.
std::string most_uniform_test(const nlohmann::json& data_set);

// A method's mean figure over its seeds; nothing where it has none on the part.
std::optional<double> mean_of(const nlohmann::json& method, const std::string& part,
                              const char* metric);

}  // namespace evenkeel::report
