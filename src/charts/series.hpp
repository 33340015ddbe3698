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

/// At most `most` (4 or more) of the points: the first, the last, and of each stretch between them the lowest and the highest.
std::vector<SeriesPoint> thinned(const std::vector<SeriesPoint>& points, std::size_t most);

}  // namespace percycle
