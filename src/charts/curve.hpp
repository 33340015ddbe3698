#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "charts/chart.hpp"
#include "charts/series.hpp"
#include "core/along.hpp"

namespace percycle {

/// A size at which something ends, to be marked.
struct Edge {
  double x = 0;
  std::string series;  ///< that it was found in
  std::string label;   ///< "L1 227 KiB"
};

struct CurveStyle {
  std::string name;
  std::string title;
  std::string x_title;
  std::string y_title;
  Along x = Along::linear;
  Along y = Along::linear;
  bool lines = true;       ///< between the points
  bool from_zero = false;  ///< of a linear y
};

/// Lines of some y over some x, at most kMostSeries of them, each of at most `most_points`; `edges` are marked in the colour of their series, those of the first
/// with their labels.
Chart curve_chart(const CurveStyle& style, const std::vector<Series>& series, const std::vector<Edge>& edges,
                  std::size_t most_points);

}  // namespace percycle
