#include "experiments/chases/parts/second_look.hpp"

#include <algorithm>

#include "analysis/path_curve.hpp"
#include "analysis/second_looks.hpp"
#include "analysis/thresholds.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "vocabulary/chases.hpp"

namespace percycle {
namespace {

bool has_one_place(const std::string& path) { return path == "constant" || path == "local"; }

}  // namespace

bool add_second_looks(std::vector<Point>& looks, std::span<const PointResult* const> sweep) {
  std::vector<CurveSample> curve;
  for (const auto* result : sweep) {
    const auto sample = latency_of(*result, LatencyUnit::nanoseconds);
    if (sample && !has_one_place(word(result->point.parameters, parameter::kPath))) curve.push_back(*sample);
  }
  std::sort(curve.begin(), curve.end(), [](const CurveSample& a, const CurveSample& b) { return a.bytes < b.bytes; });
  const auto sizes = contradicted(curve);
  const std::size_t before = looks.size();
  for (const auto* result : sweep) {
    Point look = result->point;
    const auto bytes = static_cast<double>(integer_or(look.parameters, parameter::kFootprint, 0));
    if (std::find(sizes.begin(), sizes.end(), bytes) == sizes.end()) continue;
    look.parameters[parameter::kAgain] = 1;
    const bool known =
        std::any_of(looks.begin(), looks.end(), [&](const Point& one) { return one.parameters == look.parameters; });
    if (!known && static_cast<double>(looks.size()) < second_look_thresholds.most) looks.push_back(std::move(look));
  }
  return looks.size() > before;
}

}  // namespace percycle
