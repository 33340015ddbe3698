#pragma once

#include <map>
#include <string>

#include "report/comparison.hpp"

namespace percycle {

/// A side's answers over the footprint in bytes.
using FootprintCurve = std::map<double, double>;

/// By curve_name.
using FootprintCurves = std::map<std::string, FootprintCurve>;

/// The question without its footprint and the number of nodes, which follows from it.
std::string curve_name(const Point& question);

/// All curves over the footprint. A side may answer at footprints that another lacks.
FootprintCurves footprint_curves(const Side& side);

/// Whether a footprint next to the question's has an answer that differs by more than 5 %.
bool is_on_slope(const FootprintCurves& curves, const Point& question);

}  // namespace percycle
