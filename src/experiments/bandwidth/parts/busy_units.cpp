#include "experiments/bandwidth/parts/busy_units.hpp"

#include <algorithm>

#include "core/configuration.hpp"
#include "core/figures.hpp"
#include "experiments/bandwidth/parts/unit_bandwidth.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/product.hpp"
#include "experiments/common/sweep.hpp"

namespace percycle {
namespace {

// Five of them take a quarter of a second, in which a driver changes the clock several times.
constexpr double kLongSampleNs = 50e6;

CurveChart busy_units_chart(const std::string& name, const std::string& title, const char* figure) {
  return {.name = name,
          .title = title + " by number of busy units",
          .only = {{kBusyUnitsTest, kBusyUnits}},
          .only_named = true,
          .x = kBusyGroups,
          .x_title = "work-groups, one per unit",
          .y = {figure},
          .after_bars = true};
}

}  // namespace

bool measures_peak(const Options& options) { return options[kBusyUnitsTests].empty() || options.has(kBusyUnitsTests, kPeak); }

bool measures_busy_units(const Options& options) {
  return options[kBusyUnitsTests].empty() ? options.preset != Preset::quick : options.has(kBusyUnitsTests, kBusyUnits);
}

std::vector<Point> busy_units_points(const Experiment& experiment, const DeviceInfo& device, const Options& options,
                                     const Point& question) {
  const DispatchShape shape = possible_shapes(device, {{1024, 1}, {512, 1}, {256, 1}}, required_subgroup_size(question)).front();
  std::vector<Point> points =
      product(question, {{kBusyUnitsTest, std::vector{kBusyUnits}},
                         {kBusyGroups, octave_grid(1, all_units(device), options.preset == Preset::full ? 4 : 1, 1)},
                         {"group_size", std::vector{shape.group_size}}});
  if (experiment.unsupported(device, points.front())) points.resize(measures_peak(options) ? 0 : 1);
  return points;
}

std::optional<std::uint32_t> busy_groups(const Point& point) {
  if (!point.parameters.contains(kBusyGroups)) return std::nullopt;
  return number<std::uint32_t>(point, kBusyGroups);
}

void lengthen_samples(Trial& trial, const Point& point) {
  if (busy_groups(point)) trial.sample_ns = kLongSampleNs;
}

CurveChart busy_units_bandwidth_chart(const std::string& experiment, const std::string& memory) {
  return busy_units_chart(experiment + "-units", "Bandwidth of " + memory, figures::kGbPerS);
}

CurveChart busy_units_clock_chart(const std::string& experiment, const std::string& memory) {
  return busy_units_chart(experiment + "-units-clock", "Clock under loads of " + memory, figures::kClockMhz);
}

}  // namespace percycle
