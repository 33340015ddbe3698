#include "experiments/bandwidth/parts/busy_units.hpp"

#include <algorithm>

#include "core/configuration.hpp"
#include "experiments/bandwidth/parts/unit_bandwidth.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/sweep.hpp"
#include "experiments/common/word_list.hpp"

namespace percycle {
namespace {

constexpr const char* kPeak = "peak";
constexpr const char* kAutomatic = "auto";

// Five of them take a quarter of a second, in which a driver changes the clock several times.
constexpr double kLongSampleNs = 50e6;

bool measures(const Options& options, const char* test) {
  const auto tests = word_list(options.value(kBusyUnitsTest));
  return std::ranges::find(tests, test) != tests.end();
}

bool is_automatic(const Options& options) { return options.value(kBusyUnitsTest) == kAutomatic; }

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

ParameterSpec busy_units_parameter() {
  return {
      kBusyUnitsTest,
      ParameterSpec::Type::words,
      {kPeak, kBusyUnits},
      kAutomatic,
      "peak: all units, in the best configuration; units: one work-group on each of 1, 2, 4 ... and all units, with the widest "
      "load, for 0.25 s; auto: both (quick: peak)"};
}

bool measures_peak(const Options& options) { return is_automatic(options) || measures(options, kPeak); }

bool measures_busy_units(const Options& options) {
  return is_automatic(options) ? options.preset != Preset::quick : measures(options, kBusyUnits);
}

std::int64_t widest_load(const Options& options) {
  std::int64_t widest = 0;
  for (const std::string& width : word_list(options.value("width"))) widest = std::max<std::int64_t>(widest, std::stoll(width));
  return widest;
}

std::vector<Point> busy_units_points(const Experiment& experiment, const DeviceInfo& device, const Options& options,
                                     const Point& question) {
  const DispatchShape shape = possible_shapes(device, {{1024, 1}, {512, 1}, {256, 1}}, required_subgroup_size(question)).front();
  std::vector<Point> points;
  for (const std::uint64_t groups : octave_grid(1, all_units(device), options.preset == Preset::full ? 4 : 1, 1)) {
    Point point = question;
    point.parameters[kBusyUnitsTest] = kBusyUnits;
    point.parameters[kBusyGroups] = static_cast<std::int64_t>(groups);
    point.parameters["group_size"] = std::int64_t{shape.group_size};
    points.push_back(std::move(point));
  }
  if (experiment.unsupported(device, points.front())) points.resize(measures_peak(options) ? 0 : 1);
  return points;
}

std::optional<std::uint32_t> busy_groups(const Point& point) {
  if (!point.parameters.contains(kBusyGroups)) return std::nullopt;
  return static_cast<std::uint32_t>(integer(point.parameters, kBusyGroups));
}

void lengthen_samples(Trial& trial, const Point& point) {
  if (busy_groups(point)) trial.sample_ns = kLongSampleNs;
}

CurveChart busy_units_bandwidth_chart(const std::string& experiment, const std::string& memory) {
  return busy_units_chart(experiment + "-units", "Bandwidth of " + memory, "gb_per_s");
}

CurveChart busy_units_clock_chart(const std::string& experiment, const std::string& memory) {
  return busy_units_chart(experiment + "-units-clock", "Clock under loads of " + memory, "clock_mhz");
}

}  // namespace percycle
