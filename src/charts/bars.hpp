#pragma once

#include <optional>
#include <string>
#include <vector>

#include "charts/chart.hpp"
#include "charts/drawing.hpp"
#include "core/source.hpp"
#include "presentation/presentation.hpp"

namespace percycle {

inline constexpr const char* kSpreadRemark = "The line at the end of a bar is the median absolute deviation of its samples.";

/// A bar's spread as it is drawn, in percent of its value: 0 if it is too narrow to be seen.
double drawn_spread(std::optional<double> percent);
/// Gives the data of a bar the ends of its spread. If one bar of a chart has a spread, all need
/// ends: with the devices of the others hidden, a field without any value has no extent.
void add_ends(nlohmann::json& data, double value, std::optional<double> spread_percent);

struct Bar {
  std::string question;  ///< the question it answers, in whose line it is drawn
  std::string series;    ///< the device
  Source source = Source::measured;
  double value = 0;
  std::optional<double> limit;  ///< in the same unit
  std::string label;            ///< text after the bar: "99.8 %"
  /// The median absolute deviation of its samples, in percent of the value.
  std::optional<double> spread_percent{};
};

/// Horizontal bars, grouped by question, for at most kMostSeries devices. A limit is a line across
/// its bar, a spread a line along its end. `highest`: value or limit, if several charts share their
/// scale.
Chart bar_chart(const ChartName& name, const std::string& value_title, const std::vector<Bar>& bars,
                std::optional<double> highest = {});

/// Bars for each value of the parameters by which the plan splits: in one chart the smaller ones
/// would be lines at zero.
void add_bar_charts(std::vector<Chart>& charts, const std::string& experiment, const std::vector<DeviceRows>& devices,
                    BarChart plan, const ChartName& group);

}  // namespace percycle
