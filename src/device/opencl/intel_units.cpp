#include "device/opencl/intel_units.hpp"

#include <fmt/format.h>

#include <array>
#include <regex>

namespace percycle::opencl {
namespace {

/// The IP versions from `first` to `last` of one architecture, whose units have the same size.
struct Generation {
  std::uint32_t architecture, first, last;
  std::uint32_t execution_units;
};

constexpr std::uint32_t kAnyRelease = 255;
constexpr std::uint32_t kXe2ExecutionUnits = 8;

// Sources: intel/compute-runtime, hw_cmds_*.h (maxEuPerSubslice) of Gen8 to Xe-LP, and #276 (72 EUs
// in 9 sub-slices); oneapi-src/level-zero #266 (Arc A380: 128 EUs in 8 Xe-cores); Intel's hardware
// tables of Meteor Lake (128 EUs in 8 Xe-cores) and of Data Center GPU Max 1100 (448 EUs in 56);
// for Xe2 the article on Battlemage in limits.toml (B580: 160 EUs in 20 Xe-cores).
constexpr std::array kGenerations{
    Generation{8, 0, kAnyRelease, 8},  Generation{9, 0, kAnyRelease, 8},
    Generation{11, 0, kAnyRelease, 8}, Generation{12, 0, 10, 16},
    Generation{12, 55, 57, 16},        Generation{12, 60, 61, 8},
    Generation{12, 70, 74, 16},        Generation{20, 0, kAnyRelease, kXe2ExecutionUnits},
    Generation{30, 0, kAnyRelease, 8},
};

}  // namespace

std::optional<std::uint32_t> execution_units_per_unit(std::uint32_t ip_version) {
  const std::uint32_t architecture = ip_version >> 22;
  const std::uint32_t release = (ip_version >> 14) & 0xffu;
  for (const Generation& each : kGenerations) {
    if (each.architecture == architecture && each.first <= release && release <= each.last) return each.execution_units;
  }
  return std::nullopt;
}

bool is_xe2_name(const std::string& name) {
  static const std::regex xe2(R"(\bArc\b.*\b(B[0-9]{2,3}|1[0-9]0V)\b)", std::regex::icase);
  return std::regex_search(name, xe2);
}

IntelUnits intel_units(const IntelCounts& counts) {
  std::optional<std::uint32_t> by_slices;
  if (counts.slices && counts.sub_slices_per_slice) by_slices = *counts.slices * *counts.sub_slices_per_slice;
  auto each = counts.ip_version ? execution_units_per_unit(*counts.ip_version) : std::nullopt;
  if (is_xe2_name(counts.name)) each = kXe2ExecutionUnits;
  if (!each) {
    if (!by_slices)
      return {.count = std::nullopt,
              .lack = fmt::format("units: CL_DEVICE_MAX_COMPUTE_UNITS ({}) counts execution units, not subslices",
                                  counts.execution_units)};
    return {.count = by_slices, .lack = "units: slices times subslices; the size of a unit is unknown for this IP version"};
  }
  const std::uint32_t units = (counts.execution_units + *each - 1) / *each;
  IntelUnits result{.count = units, .lack = ""};
  if (by_slices && *by_slices != units) {
    result.lack = fmt::format("units: {} by {} execution units of {} each, but {} slices of {}; percycle takes {}", units,
                              counts.execution_units, *each, *counts.slices, *counts.sub_slices_per_slice, units);
  }
  return result;
}

}  // namespace percycle::opencl
