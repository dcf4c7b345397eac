// The structs of src/analysis in the page's form. In: figures; out: JSON as web/src/data.ts.
#pragma once

#include <nlohmann/json.hpp>

#include "analysis/bias.h"
#include "analysis/exposure.h"
#include "analysis/sphere.h"

namespace evenkeel::report {

nlohmann::json exposure_json(const analysis::Exposure& exposure);
nlohmann::json nine_json(const analysis::NineGroups& nine);
nlohmann::json curve_json(const std::vector<analysis::CurvePoint>& curve);
nlohmann::json point_json(
    const analysis::SpherePoint& point);  // three decimals: a pixel of a large picture

// Popularity on a log-log plot, Lorenz curve and shares of training consumption.
nlohmann::json popularity_json(const data::Dataset& data);

// With a sample of the rows as points.
nlohmann::json bias_json(const analysis::Bias& bias, const data::Dataset& data,
                         std::string_view source);
inline constexpr std::size_t kBiasPoints = 1200;

}  // namespace evenkeel::report
