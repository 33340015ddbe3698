#include "charts/time_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "charts/curve.hpp"
#include "charts/theme.hpp"
#include "report/efficiency.hpp"

namespace percycle {
namespace {

/// The readings of one kind as a line.
Series clock_series(const ReportDevice& device, bool from_telemetry, std::optional<double> ClockReading::*figure,
                    const char* words) {
  Series series{.name = fmt::format("{}, {}", device.label, words), .source = device.source, .points = {}};
  for (const ClockReading& reading : device.clocks) {
    if (reading.from_telemetry == from_telemetry && reading.*figure)
      series.points.push_back({reading.seconds, *(reading.*figure)});
  }
  std::stable_sort(series.points.begin(), series.points.end(),
                   [](const SeriesPoint& a, const SeriesPoint& b) { return a.x < b.x; });
  return series;
}

void add_clock_charts(std::vector<Chart>& charts, const std::vector<Series>& series, const std::string& name,
                      const std::string& title, const std::string& unit, const DrawingLimits& limits) {
  const std::size_t parts = (series.size() + kMostSeries - 1) / kMostSeries;
  for (std::size_t part = 0; part < parts; ++part) {
    const auto first = series.begin() + static_cast<std::ptrdiff_t>(part * kMostSeries);
    const std::vector<Series> part_series(
        first, first + static_cast<std::ptrdiff_t>(std::min(kMostSeries, series.size() - part * kMostSeries)));
    charts.push_back(curve_chart({.name = part_of(name, "{}-{}", part, parts),
                                  .title = part_of(title, "{} ({} of {})", part, parts),
                                  .x_title = "seconds of measuring",
                                  .y_title = unit,
                                  .x = Along::linear,
                                  .y = Along::linear,
                                  .lines = false,
                                  .from_zero = false,
                                  .is_time = true},
                                 part_series, {}, limits.series_points));
  }
}

}  // namespace

void add_load_charts(std::vector<Chart>& charts, const ReportDevice& device, const std::vector<const PointRow*>& rows,
                     const DrawingLimits& limits) {
  struct LoadQuantity {
    const char* name;
    const char* title;
    const char* unit;
    std::vector<TimedValue> LoadCurves::*curve;
  };
  for (const LoadQuantity& quantity :
       {LoadQuantity{"load-rate", "Rate under sustained load", "1e9 bytes or operations per second", &LoadCurves::rate},
        LoadQuantity{"load-clock", "Clock under sustained load", "MHz", &LoadCurves::clock_mhz},
        LoadQuantity{"load-power", "Power under sustained load", "W", &LoadCurves::power_w},
        LoadQuantity{"load-temperature", "Temperature under sustained load", "°C", &LoadCurves::temperature_c}}) {
    std::vector<Series> lines;
    for (const PointRow* row : rows) {
      std::vector<std::string> names;
      for (const auto& [name, cell] : row->parameters) {
        if (!is_configuration(*row, name)) names.push_back(name);
      }
      Series line{.name = parameter_words(*row, names), .source = device.source, .points = {}};
      for (const TimedValue& each : row->load.*quantity.curve) line.points.push_back({each.s, each.value});
      if (!line.points.empty()) lines.push_back(std::move(line));
    }
    if (lines.empty()) continue;
    lines.resize(std::min(lines.size(), kMostSeries));
    charts.push_back(curve_chart({.name = fmt::format("{}-{}", quantity.name, device.slug),
                                  .title = fmt::format("{}: {}", quantity.title, device.label),
                                  .x_title = "seconds of load",
                                  .y_title = quantity.unit,
                                  .x = Along::linear,
                                  .y = Along::linear,
                                  .from_zero = false,
                                  .is_time = true},
                                 lines, {}, limits.series_points));
    charts.back().devices = {device.label};
  }
}

std::vector<Chart> clock_charts(const std::vector<ReportDevice>& devices, const DrawingLimits& limits) {
  std::vector<Series> clocks;
  std::vector<Series> power;
  const auto add = [](std::vector<Series>& list, Series series) {
    if (!series.points.empty()) list.push_back(std::move(series));
  };
  for (const ReportDevice& device : devices) {
    add(clocks, clock_series(device, false, &ClockReading::clock_mhz, "kernel's counter"));
    add(clocks, clock_series(device, true, &ClockReading::clock_mhz, "telemetry"));
    add(power, clock_series(device, true, &ClockReading::power_w, "telemetry"));
  }
  std::vector<Chart> charts;
  add_clock_charts(charts, clocks, "clock", "Core clock while measuring", "MHz", limits);
  add_clock_charts(charts, power, "power", "Power while measuring", "W", limits);
  return charts;
}

}  // namespace percycle
