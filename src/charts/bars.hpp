#pragma once

#include <optional>
#include <string>
#include <vector>

#include "charts/chart.hpp"
#include "core/source.hpp"

namespace percycle {

struct Bar {
  std::string question;  ///< the question it answers, in whose line it is drawn
  std::string series;    ///< the device
  Source source = Source::measured;
  double value = 0;
  std::optional<double> limit;  ///< in the same unit
  std::string label;            ///< text after the bar: "99.8 %"
};

struct BarStyle {
  std::string name;
  std::string title;
  std::string value_title;
  std::optional<double> highest{};  ///< value or limit, if several charts share their scale
};

/// Horizontal bars, grouped by question, for at most kMostSeries devices. A limit is a line across
/// its bar.
Chart bar_chart(const BarStyle& style, const std::vector<Bar>& bars);

}  // namespace percycle
