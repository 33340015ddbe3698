#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "charts/chart.hpp"
#include "charts/series.hpp"
#include "core/along.hpp"

namespace percycle {

/// A size at which a level ends, to be marked.
struct Edge {
  double x = 0;
  std::string series;  ///< its series
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
  bool from_zero = false;  ///< for a linear y
  bool is_time = false;    ///< x begins at 0
  /// The lowest and highest x and y, if several charts share their scales; absent: of the
  /// chart's series.
  std::optional<std::pair<double, double>> x_span{};
  std::optional<std::pair<double, double>> y_span{};
};

/// Lines of y over x, at most kMostSeries of them with at most `most_points` each. `edges` are
/// marked in the colour of their series, those of the first series with labels. A flat line does
/// not fill the height: the axis shows at least 10 % around it.
Chart curve_chart(const CurveStyle& style, const std::vector<Series>& series, const std::vector<Edge>& edges,
                  std::size_t most_points);

}  // namespace percycle
