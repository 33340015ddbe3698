#include "report/footprint_curves.hpp"

#include <algorithm>
#include <iterator>

#include "core/parameters.hpp"
#include "vocabulary/chases.hpp"

namespace percycle {
namespace {

constexpr double kSlope = 1.05;

bool differ(double one, double other) { return std::max(one, other) > kSlope * std::min(one, other); }

}  // namespace

std::string curve_name(const Point& question) {
  Point curve = question;
  curve.parameters.erase(parameter::kFootprint);
  curve.parameters.erase(parameter::kNodes);
  return to_string(curve);
}

FootprintCurves footprint_curves(const Side& side) {
  FootprintCurves curves;
  for (const auto& [text, answer] : side.answers) {
    const Point question = question_without_mode(answer.result->point);
    if (const auto footprint = find_integer(question.parameters, parameter::kFootprint))
      curves[curve_name(question)][static_cast<double>(*footprint)] = answer.value;
  }
  return curves;
}

bool is_on_slope(const FootprintCurves& curves, const Point& question) {
  const auto footprint = find_integer(question.parameters, parameter::kFootprint);
  const auto curve = curves.find(curve_name(question));
  if (!footprint || curve == curves.end()) return false;
  const auto here = curve->second.find(static_cast<double>(*footprint));
  if (here == curve->second.end()) return false;
  const auto above = std::next(here);
  return (here != curve->second.begin() && differ(std::prev(here)->second, here->second)) ||
         (above != curve->second.end() && differ(above->second, here->second));
}

}  // namespace percycle
