#include "charts/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "charts/theme.hpp"
#include "core/figures.hpp"
#include "presentation/presentation.hpp"
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

CurveChart over_time(const char* name, const char* title, const char* x_title, const std::string& unit) {
  return {.name = name, .title = title, .x_title = x_title, .x_scale = AxisScale::linear, .y_title = unit, .over_time = true};
}

void add_clock_charts(std::vector<Chart>& charts, const std::vector<Series>& series, CurveChart plan) {
  plan.lines = false;
  for (const ChartPart& part : parts_of(series.size(), kMostSeries))
    charts.push_back(curve_chart(plan, part.end, std::span(series).subspan(part.first, part.count)));
}

}  // namespace

void add_load_charts(std::vector<Chart>& charts, const ReportDevice& device, const std::vector<const PointRow*>& rows) {
  const char* seconds = "seconds of load";
  const std::vector<std::pair<CurveChart, std::vector<TimedValue> LoadCurves::*>> plans{
      {over_time("load-rate", "Rate under sustained load", seconds,
                 figure_unit(figures::kGbPerS) + " or " + figure_unit(figures::kGopsPerS)),
       &LoadCurves::rate},
      {over_time("load-clock", "Clock under sustained load", seconds, unit_text::kMhz), &LoadCurves::clock_mhz},
      {over_time("load-power", "Power under sustained load", seconds, unit_text::kWatts), &LoadCurves::power_w},
      {over_time("load-temperature", "Temperature under sustained load", seconds, unit_text::kCelsius),
       &LoadCurves::temperature_c}};
  for (const auto& [plan, curve] : plans) {
    std::vector<Series> lines;
    for (const PointRow* row : rows) {
      std::vector<std::string> names;
      for (const auto& [name, cell] : row->parameters) {
        if (!is_configuration(*row, name)) names.push_back(name);
      }
      Series line{.name = parameter_words(*row, names), .source = device.source, .points = {}};
      for (const TimedValue& each : row->load.*curve) line.points.push_back({each.s, each.value});
      if (!line.points.empty()) lines.push_back(std::move(line));
    }
    if (lines.empty()) continue;
    lines.resize(std::min(lines.size(), kMostSeries));
    charts.push_back(curve_chart(plan, of_device(device), lines));
    charts.back().devices = {device.label};
  }
}

std::vector<Chart> clock_charts(const std::vector<ReportDevice>& devices) {
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
  const char* seconds = "seconds of measuring";
  std::vector<Chart> charts;
  add_clock_charts(charts, clocks, over_time("clock", "Core clock while measuring", seconds, unit_text::kMhz));
  add_clock_charts(charts, power, over_time("power", "Power while measuring", seconds, unit_text::kWatts));
  return charts;
}

}  // namespace percycle
