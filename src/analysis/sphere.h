// Items on the sphere around a user. In: unit vectors of any length; out: points in three
// dimensions with the user at the pole and every angle to it exact.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "analysis/geometry.h"

namespace evenkeel::analysis {

using SpherePoint = std::array<double, 3>;

// The polar angle of a point is the item's angle to the user. The azimuth comes from the two
// principal axes of what is left of the items beside the user's direction; a model of three
// dimensions has no more than these two, so there the picture is an exact rotation.
std::vector<SpherePoint> sphere_points(const Directions& directions, Row user,
                                       std::span<const Row> items);

}  // namespace evenkeel::analysis
