#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "charts/chart.hpp"
#include "presentation/presentation.hpp"
#include "report/report_data.hpp"

namespace percycle {

/// A device with the rows of it that a chart draws.
using DeviceRows = std::pair<const ReportDevice*, std::vector<const PointRow*>>;

inline constexpr std::size_t kMostCells = 4000;  ///< of a map

/// One of several similar charts, with the first of its series or devices and their number.
struct ChartPart {
  ChartName end;
  std::size_t first = 0;
  std::size_t count = 0;
};

/// Charts of at most `most` of `count` series or devices.
std::vector<ChartPart> parts_of(std::size_t count, std::size_t most);

/// The end of the names of a device's charts.
ChartName of_device(const ReportDevice& device);

/// The name of a figure of these rows on an axis.
std::string figure_words(std::string_view experiment, const std::vector<DeviceRows>& devices, std::string_view figure);

/// The rows for which `is_drawn` holds, and their devices.
std::vector<DeviceRows> rows_that(const std::vector<DeviceRows>& devices,
                                  const std::function<bool(const ReportDevice&, const PointRow&)>& is_drawn);

/// The rows of all devices.
std::vector<const PointRow*> together(const std::vector<DeviceRows>& devices);

/// Groups the rows by the values of some parameters, in their order.
std::map<std::vector<std::string>, std::vector<DeviceRows>> split_by(const std::vector<DeviceRows>& devices,
                                                                     const std::vector<std::string>& names);

/// The values of these parameters in words for people, as the experiment declares them.
std::string chart_words(const PointRow& row, const std::vector<std::string>& names);

/// The group with the values that it was split by, in its name, and their words, in its title.
ChartName with_values(ChartName group, const std::vector<std::string>& values, const std::string& words);

/// The words of the values by which these rows were split.
std::string split_words(const std::vector<DeviceRows>& devices, const std::vector<std::string>& names);

/// The first figure that any row has.
std::string_view figure_of(const std::vector<DeviceRows>& devices, const std::vector<std::string>& figures);

/// "No cycles/load: A; B.": the devices with rows but without the figure. Empty if all have it.
std::string without_words(const std::vector<DeviceRows>& devices, std::string_view figure_name, const std::string& title);

/// Published rows, with the names of the measured rows beside them, if any. `copies` owns the
/// renamed rows.
std::vector<DeviceRows> beside_measured(const std::vector<DeviceRows>& devices, const std::vector<PublishedPlace>& places,
                                        std::deque<PointRow>& copies);

}  // namespace percycle
