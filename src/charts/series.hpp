#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/source.hpp"

namespace percycle {

struct SeriesPoint {
  double x = 0;
  double y = 0;
};

/// A line of a chart. Its name is what a legend says of it.
struct Series {
  std::string name;
  Source source = Source::measured;
  std::vector<SeriesPoint> points;  ///< ascending in x
};

/// At most `most` (3 or more) of the points, first and last among them, so that the line through them looks like that through all: of each
/// bucket the one that spans the largest triangle with its neighbours (S. Steinarsson, "Downsampling Time Series for Visual Representation",
/// University of Iceland, 2013, section 4.2). `log_x`: the line is drawn over the logarithm of x.
std::vector<SeriesPoint> thinned(const std::vector<SeriesPoint>& points, std::size_t most, bool log_x);

}  // namespace percycle
