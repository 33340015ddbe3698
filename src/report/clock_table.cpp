#include "report/clock_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/figures.hpp"
#include "report/text_table.hpp"

namespace percycle {
namespace {

/// Extremes over the points of one experiment.
struct Extremes {
  std::string experiment;
  double lowest_mhz = 0;
  double highest_mhz = 0;
  std::optional<double> highest_w;
  std::optional<double> highest_c;
};

/// A clock that was read during the measurement, not a figure of a driver or a document.
bool is_measured(Provenance provenance) { return provenance < Provenance::reported; }

std::optional<Extremes> extremes_of(const std::string& experiment, const std::vector<const PointResult*>& results) {
  std::optional<Extremes> extremes;
  for (const PointResult* result : results) {
    if (result->outcome.status != Status::ok || !result->measurement) continue;
    const auto& clock = result->measurement->clock_mhz;
    if (!clock || !is_measured(clock->provenance)) continue;
    if (!extremes) extremes = Extremes{experiment, clock->value, clock->value, {}, {}};
    extremes->lowest_mhz = std::min(extremes->lowest_mhz, clock->value);
    extremes->highest_mhz = std::max(extremes->highest_mhz, clock->value);
    for (const auto& sample : fresh(result->measurement->telemetry)) {
      extremes->highest_w = std::max(extremes->highest_w, sample.reading.power_w);
      extremes->highest_c = std::max(extremes->highest_c, sample.reading.temperature_c);
    }
  }
  return extremes;
}

}  // namespace

std::string clock_table(const std::map<std::string, std::vector<const PointResult*>>& experiments) {
  std::vector<Extremes> rows;
  for (const auto& [name, results] : experiments) {
    if (auto extremes = extremes_of(name, results)) rows.push_back(std::move(*extremes));
  }
  if (rows.empty()) return {};
  const double highest = std::max_element(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
                           return a.highest_mhz < b.highest_mhz;
                         })->highest_mhz;
  const bool any_power = std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.highest_w.has_value(); });
  const bool any_heat = std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.highest_c.has_value(); });

  TextTable table{.columns = {{"experiment", Align::left},
                              {fmt::format("lowest {}", unit_text::kMhz)},
                              {fmt::format("highest {}", unit_text::kMhz)},
                              {"% below the highest"}},
                  .rows = {}};
  if (any_power) table.columns.push_back({fmt::format("highest {}", unit_text::kWatts)});
  if (any_heat) table.columns.push_back({fmt::format("highest {}", unit_text::kCelsius)});
  for (const Extremes& row : rows) {
    std::vector<std::string> cells{row.experiment, fmt::format("{:.0f}", row.lowest_mhz), fmt::format("{:.0f}", row.highest_mhz),
                                   fmt::format("{:.1f}", 100 * (1 - row.lowest_mhz / highest))};
    if (any_power) cells.push_back(row.highest_w ? fmt::format("{:.0f}", *row.highest_w) : "");
    if (any_heat) cells.push_back(row.highest_c ? fmt::format("{:.0f}", *row.highest_c) : "");
    table.rows.push_back({.cells = std::move(cells), .remark = {}});
  }
  return "measured clocks\n" + render(table, "  ");
}

}  // namespace percycle
