#pragma once

#include <optional>
#include <string>
#include <vector>

#include "charts/chart.hpp"
#include "charts/drawing.hpp"
#include "core/source.hpp"
#include "presentation/presentation.hpp"

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

/// A row of bars per question, in charts of at most kMostSeries devices.
void add_bars(std::vector<Chart>& charts, const std::string& experiment, const std::vector<DeviceRows>& devices,
              const BarChart& plan, const ChartGroup& group);

/// Bars for each value of the parameters by which the plan splits: in one chart the smaller ones
/// would be lines at zero.
void add_split_bars(std::vector<Chart>& charts, const std::string& experiment, const std::vector<DeviceRows>& devices,
                    BarChart plan, const ChartGroup& group);

}  // namespace percycle
