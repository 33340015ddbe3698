#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/source.hpp"

namespace percycle {

struct SeriesPoint {
  struct Spread {
    double low = 0;
    double high = 0;
  };

  double x = 0;
  double y = 0;
  std::optional<Spread> spread{};  ///< drawn as a band
};

/// A line of a chart. The legend shows its name.
struct Series {
  std::string name;
  Source source = Source::measured;
  std::vector<SeriesPoint> points;  ///< ascending in x
};

/// At most `most` (4 or more) of the points: the first, the last, and the lowest and highest of
/// each stretch between them.
std::vector<SeriesPoint> thinned(const std::vector<SeriesPoint>& points, std::size_t most);

}  // namespace percycle
