#include "charts/curves.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
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

/// The parameters that name a load: all but those of its dispatch and its time.
std::vector<std::string> load_names(const PointRow& row) {
  std::vector<std::string> names;
  for (const auto& [name, cell] : row.parameters) {
    const bool is_size = row.about && std::ranges::find(row.about->sizes, name) != row.about->sizes.end();
    if (!is_configuration(row, name) && !is_size) names.push_back(name);
  }
  return names;
}

std::string load_words(const PointRow& row) { return parameter_words(row, load_names(row)); }

/// A curve as shares of its limit.
Series share_series(const ReportDevice& device, const std::vector<TimedValue>& curve, const std::optional<double>& limit,
                    const char* words) {
  Series series{.name = fmt::format("{}, {}", device.label, words), .source = device.source, .points = {}};
  if (!limit) return series;
  for (const TimedValue& each : curve) series.points.push_back({each.s, 100 * each.value / *limit});
  return series;
}

/// "No power limit is known: A, B."; empty without devices.
std::string unlimited_words(const char* limit, const std::vector<std::string>& devices) {
  return devices.empty() ? "" : fmt::format("No {} is known: {}.", limit, fmt::join(devices, "; "));
}

/// The longest load of each device.
std::map<const ReportDevice*, const PointRow*> longest_loads(const std::vector<DeviceRows>& devices, const std::string& words) {
  const auto end_of = [](const PointRow& row) { return row.load.power_w.empty() ? 0 : row.load.power_w.back().s; };
  std::map<const ReportDevice*, const PointRow*> longest;
  for (const auto& [device, rows] : devices) {
    for (const PointRow* row : rows) {
      if ((row->load.power_w.empty() && row->load.clock_mhz.empty()) || load_words(*row) != words) continue;
      const PointRow*& kept = longest[device];
      if (!kept || end_of(*row) > end_of(*kept)) kept = row;
    }
  }
  return longest;
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
      Series line{.name = chart_words(*row, names), .source = device.source, .points = {}};
      for (const TimedValue& each : row->load.*curve) line.points.push_back({each.s, each.value});
      if (!line.points.empty()) lines.push_back(std::move(line));
    }
    if (lines.empty()) continue;
    lines.resize(std::min(lines.size(), kMostSeries));
    charts.push_back(curve_chart(plan, of_device(device), lines));
    charts.back().devices = {device.label};
  }
}

void add_load_shares(std::vector<Chart>& charts, const std::vector<DeviceRows>& devices) {
  constexpr std::size_t kMostShares = 100;  // of a line: each card's own chart has more
  std::set<std::string> loads;
  for (const PointRow* row : together(devices)) loads.insert(load_words(*row));
  for (const std::string& words : loads) {
    const auto longest = longest_loads(devices, words);
    if (longest.empty()) continue;
    const PointRow* first = longest.begin()->second;
    std::vector<Series> lines;
    std::vector<std::string> without_power;
    std::vector<std::string> without_clock;
    for (const auto& [device, rows] : devices) {
      const auto found = longest.find(device);
      if (found == longest.end()) continue;
      const LoadCurves& load = found->second->load;
      if (!load.power_w.empty() && !device->most_w) without_power.push_back(device->label);
      if (!load.clock_mhz.empty() && !device->most_mhz) without_clock.push_back(device->label);
      lines.push_back(share_series(*device, load.power_w, device->most_w, "power"));
      lines.push_back(share_series(*device, load.clock_mhz, device->most_mhz, "clock"));
    }
    std::erase_if(lines, [](const Series& line) { return line.points.empty(); });
    const CurveChart plan =
        over_time("load-shares", "Power and clock as shares of their limits under load", "seconds of load", "% of the limit");
    for (const ChartPart& part : parts_of(lines.size(), kMostSeries)) {
      if (lines.empty()) break;
      Chart& chart =
          charts.emplace_back(curve_chart(plan, with_values(part.end, {words}, chart_words(*first, load_names(*first))),
                                          std::span(lines).subspan(part.first, part.count), {}, lines, kMostShares));
      chart.remarks.emplace_back(
          "The limits are the card's power limit and the highest core clock that its driver states, else "
          "the catalogue's.");
      for (const std::string& remark :
           {unlimited_words("power limit", without_power), unlimited_words("highest clock", without_clock)}) {
        if (!remark.empty()) chart.remarks.push_back(remark);
      }
    }
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
