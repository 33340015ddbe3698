#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/report_data.hpp"

namespace percycle {

/// Limits of drawings; the CSV files have all points.
struct DrawingLimits {
  std::size_t series_points = 300;  ///< per line
  std::size_t cells = 4000;         ///< per heat map
  std::size_t pairs = 600;          ///< per card's comparison of APIs
  std::size_t charts = 64;          ///< per section; the others are files only
};

/// A device with the rows of it that a chart draws.
using DeviceRows = std::pair<const ReportDevice*, std::vector<const PointRow*>>;

/// Distinguishes the charts of some devices from the charts of others.
struct ChartGroup {
  std::string name;
  std::string title;
};

/// The name of a figure on an axis.
std::string figure_words(std::string_view experiment, std::string_view figure);

/// The rows of all devices.
std::vector<const PointRow*> together(const std::vector<DeviceRows>& devices);

/// The name or title of one of several similar charts.
std::string part_of(const std::string& text, const char* form, std::size_t part, std::size_t parts);

/// Groups the rows by the values of some parameters, in their order.
std::map<std::vector<std::string>, std::vector<DeviceRows>> split_by(const std::vector<DeviceRows>& devices,
                                                                     const std::vector<std::string>& names);

/// The group with the values it was split by.
ChartGroup with_values(ChartGroup group, const std::vector<std::string>& values);

/// The first figure that any row has.
std::string_view figure_of(const std::vector<DeviceRows>& devices, const std::vector<std::string>& figures);

}  // namespace percycle
