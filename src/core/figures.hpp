#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace percycle {

/// Names of the figures that code asks for; all_figures() lists them.
namespace figures {
inline constexpr const char* kGbPerS = "gb_per_s";
inline constexpr const char* kGopsPerS = "gops_per_s";
inline constexpr const char* kNsPerOp = "ns_per_op";
inline constexpr const char* kMadPercent = "mad_percent";
inline constexpr const char* kOpsPerUnitCycle = "ops_per_unit_cycle";
inline constexpr const char* kBytesPerUnitCycle = "bytes_per_unit_cycle";
inline constexpr const char* kLimitGbPerS = "limit_gb_per_s";
inline constexpr const char* kLimitBytesPerUnitCycle = "limit_bytes_per_unit_cycle";
inline constexpr const char* kLimitOpsPerUnitCycle = "limit_ops_per_unit_cycle";
inline constexpr const char* kEfficiency = "efficiency_percent";
inline constexpr const char* kCyclesPerOp = "cycles_per_op";
inline constexpr const char* kClockMhz = "clock_mhz";
inline constexpr const char* kClocksDifferPercent = "clocks_differ_percent";
inline constexpr const char* kSteadyGbPerS = "steady_gb_per_s";
inline constexpr const char* kSteadyGopsPerS = "steady_gops_per_s";
inline constexpr const char* kSteadyAfterS = "steady_after_s";
inline constexpr const char* kRateConstantS = "rate_constant_s";
inline constexpr const char* kSteadyMhz = "steady_mhz";
inline constexpr const char* kSteadyW = "steady_w";
inline constexpr const char* kSteadyC = "steady_c";
inline constexpr const char* kHeatConstantS = "heat_constant_s";
inline constexpr const char* kPjPerByte = "pj_per_byte";
inline constexpr const char* kPjPerOperation = "pj_per_operation";
inline constexpr const char* kGbPerJoule = "gb_per_joule";
inline constexpr const char* kGopsPerJoule = "gops_per_joule";
inline constexpr const char* kEnergyJ = "energy_j";
inline constexpr const char* kIntegratedJ = "integrated_j";
inline constexpr const char* kBusyShare = "busy_share";
inline constexpr const char* kControlCyclesPerOp = "control_cycles_per_op";
inline constexpr const char* kControlNsPerOp = "control_ns_per_op";
inline constexpr const char* kDeviceNsPerOp = "device_ns_per_op";
inline constexpr const char* kFastestNsPerOp = "fastest_ns_per_op";
inline constexpr const char* kGroupsAtOnce = "groups_at_once";
inline constexpr const char* kMostAtOnce = "most_at_once";
inline constexpr const char* kNetCyclesPerOp = "net_cycles_per_op";
inline constexpr const char* kNetNsPerOp = "net_ns_per_op";
inline constexpr const char* kOverlap = "overlap";
inline constexpr const char* kFairness = "fairness";
inline constexpr const char* kTrafficGbPerS = "traffic_gb_per_s";
inline constexpr const char* kTrafficBytesPerUnitCycle = "traffic_bytes_per_unit_cycle";
inline constexpr const char* kTriesPerOp = "tries_per_op";
inline constexpr const char* kRunBytes = "run_bytes";

/// The main figure of a point is the first that it has: a rate, else a time, else the cycles of a
/// document.
inline constexpr std::array kMain{kGbPerS, kGopsPerS, kNsPerOp, kCyclesPerOp, kNetCyclesPerOp, kBytesPerUnitCycle};
/// The same in charts, which prefer cycles to times.
inline constexpr std::array kInCharts{kGbPerS, kGopsPerS, kNetCyclesPerOp, kCyclesPerOp, kNsPerOp};
}  // namespace figures

/// Units of numbers that are no figures of a point: of findings, limits, clocks and powers.
namespace unit_text {
inline constexpr const char* kNs = "ns";
inline constexpr const char* kUs = "us";
inline constexpr const char* kCycles = "cycles";
inline constexpr const char* kTicks = "ticks";  ///< of a counter with a fixed rate
inline constexpr const char* kCyclesPerInstruction = "cycles per instruction";
inline constexpr const char* kNsPenalty = "penalty ns";
inline constexpr const char* kCyclesPenalty = "penalty cycles";
inline constexpr const char* kCyclesTogether = "cycles, neighbours together";
inline constexpr const char* kMhz = "MHz";
inline constexpr const char* kWatts = "W";
inline constexpr const char* kCelsius = "°C";
inline constexpr const char* kGbPerS = "GB/s";
inline constexpr const char* kBytesPerUnitCycle = "bytes per unit-cycle";
inline constexpr const char* kBytesPerDeviceCycle = "bytes per cycle of the device";
inline constexpr const char* kResultsPerUnitCycle = "results per unit-cycle";
inline constexpr const char* kOperationsPerUnitCycle = "operations per unit-cycle";
inline constexpr const char* kLanesPerUnit = "lanes per unit";
inline constexpr const char* kUnits = "units";
}  // namespace unit_text

/// The unit of times by a unit's counter.
constexpr const char* counter_unit(bool counts_cycles) { return counts_cycles ? unit_text::kCycles : unit_text::kTicks; }

/// "1980 MHz": a number with so many decimals and its unit.
std::string in_unit(double value, int decimals, const char* unit);

/// The format of a column's numbers in tables for people.
enum class Format {
  plain,     ///< whole numbers and words
  bytes,     ///< "48 KiB"
  quantity,  ///< four significant digits and more
  percent,   ///< two decimals
  rounded,   ///< to a whole number
  words,     ///< no numbers
};

/// The direction in which a figure improves.
enum class Direction { neither, higher, lower };

/// A statistic of a point, or a figure that follows from its statistics and limits.
struct Figure {
  std::string_view name;   ///< in records and in tables for programs
  int rank = 0;            ///< narrow tables leave out the highest first
  std::string_view words;  ///< for people, before the unit; empty: the unit says it
  std::string_view unit;   ///< {op}, {ops} and {unit} stand for UnitWords
  Direction better = Direction::neither;
  bool is_positive = false;  ///< must be above 0; a net value (control subtracted) need not be
  Format format = Format::quantity;
  std::string_view in_cycles{};  ///< the figure that says the same in cycles of a unit
  std::string_view limit{};      ///< the figure that bounds it
};

/// The catalogue, in the order of columns.
std::span<const Figure> all_figures();

/// The figure of that name. One that the catalogue lacks has only its name.
Figure figure_called(std::string_view name);

/// Whether a value of that figure is better than another one.
bool is_better(std::string_view name, double value, double than);

/// Names of the statistics that must be above 0.
std::span<const std::string_view> positive_statistics();

/// Words on which a unit depends.
struct UnitWords {
  std::string_view op = "op";      ///< an operation, of a time: "load"
  std::string_view ops = "ops";    ///< operations, of a rate: "cells"
  std::string_view unit = "unit";  ///< the vendor's name: "SM", "CU", "WGP", "Xe-core", "core"
};

/// "B/SM/cycle", "ns/load"; empty for a count.
std::string figure_unit(std::string_view name, const UnitWords& words = {});

/// The title of a column or an axis: "GB/s", "net cycles/load".
std::string figure_title(std::string_view name, const UnitWords& words = {});

/// "127.9 B/SM/cycle": four digits with the unit.
std::string with_unit(double value, std::string_view name, const UnitWords& words = {});

/// "278.4 cycles"; "141.0 ns" or "1.25 ns" if the cycles are unknown.
std::string latency_words(const std::optional<double>& cycles, double ns);

/// The name of the main figure among values by name; empty if there is none.
template <typename ByName>
std::string_view main_figure_of(const ByName& values) {
  const auto found = std::ranges::find_if(figures::kMain, [&](const char* name) { return values.contains(name); });
  return found == figures::kMain.end() ? "" : *found;
}

}  // namespace percycle
