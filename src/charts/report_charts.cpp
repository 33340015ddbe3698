#include "charts/report_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <set>
#include <utility>

#include "charts/api_pairs.hpp"
#include "charts/bars.hpp"
#include "charts/curves.hpp"
#include "charts/grid.hpp"
#include "charts/line_map.hpp"
#include "charts/pair_heatmap.hpp"
#include "presentation/presentation.hpp"
#include "report/point_table.hpp"

namespace percycle {
namespace {

/// Different values can have the same slug: their files get numbers.
void make_names_unique(std::vector<Chart>& charts) {
  std::set<std::string> names;
  std::map<std::string, std::size_t> last;
  for (Chart& chart : charts) {
    const std::string name = chart.name;
    while (!names.insert(chart.name).second) chart.name = fmt::format("{}-{}", name, ++last.try_emplace(name, 1).first->second);
  }
}

/// CPUs have their own charts: in a GPU's chart their bandwidths would be lines at zero.
bool is_cpu(const ReportDevice& device) {
  return device.source == Source::measured && device.header().device.type == DeviceType::cpu;
}

void add_charts(std::vector<Chart>& charts, const std::string& experiment, const std::vector<DeviceRows>& devices,
                const ChartName& group) {
  const Presentation& about = presentation_of(experiment);
  const std::size_t before = charts.size();
  const auto curves = [&](bool after_bars) {
    for (const CurveChart& plan : about.curves) {
      if (plan.after_bars == after_bars) add_curves(charts, experiment, devices, plan, group);
    }
  };
  curves(false);
  std::deque<PointRow> copies;
  const std::vector<DeviceRows> placed = beside_measured(devices, about.published, copies);
  for (const BarChart& plan : about.bars) add_bar_charts(charts, experiment, placed, plan, group);
  curves(true);
  if (charts.size() == before) add_bar_charts(charts, experiment, devices, {}, group);
}

}  // namespace

ReportCharts::ReportCharts(const ReportData& data) : data_(data) {
  for (const ReportDevice& device : data.devices) {
    for (const auto& [experiment, rows] : device.experiments) {
      auto& devices = rows_[experiment];
      auto latest = latest_rows(rows);
      sort_rows(latest);
      if (!latest.empty()) devices.emplace_back(&device, std::move(latest));
    }
  }
}

std::vector<std::string> ReportCharts::experiments() const {
  std::vector<std::string> names;
  for (const auto& [name, rows] : rows_) names.push_back(name);
  std::stable_sort(names.begin(), names.end(),
                   [](const auto& a, const auto& b) { return presentation_of(a).order < presentation_of(b).order; });
  return names;
}

const std::vector<DeviceRows>& ReportCharts::rows(const std::string& experiment) const { return rows_.at(experiment); }

std::vector<Chart> ReportCharts::of_experiment(const std::string& experiment) const {
  std::vector<Chart> charts;
  const auto& devices = rows(experiment);
  const Presentation& about = presentation_of(experiment);
  for (const PairChart& plan : about.pairs) add_pair_charts(charts, experiment, devices, plan);
  if (!about.pairs.empty()) return charts;
  if (about.map == PairMap::lines) {
    for (const auto& [device, rows] : devices) add_line_maps(charts, *device);
    return charts;
  }
  const bool only_grids = !about.grids.empty() && about.bars.empty();
  if (!only_grids) {
    const auto others = rows_that(devices, [](const ReportDevice& device, const PointRow&) { return !is_cpu(device); });
    const auto cpus = rows_that(devices, [](const ReportDevice& device, const PointRow&) { return is_cpu(device); });
    add_charts(charts, experiment, others, {});
    add_charts(charts, experiment, cpus, {"-cpu", ", CPUs"});
  }
  for (const GridChart& plan : about.grids) {
    for (const ReportDevice& device : data_.devices) {
      if (const auto own = device.experiments.find(experiment); own != device.experiments.end())
        add_grids(charts, device, experiment, own->second, plan);
    }
  }
  if (only_grids) return charts;
  add_load_shares(charts, devices);
  for (const auto& [device, drawn] : devices) {
    add_load_charts(charts, *device, drawn);
    for (const PositionChart& plan : about.positions) add_position_charts(charts, *device, drawn, plan);
  }
  make_names_unique(charts);
  return charts;
}

std::vector<Chart> ReportCharts::of_apis() const { return api_charts(data_.devices, rows_); }

}  // namespace percycle
