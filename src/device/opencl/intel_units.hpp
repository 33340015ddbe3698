#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace percycle::opencl {

/// Counts that Intel's OpenCL driver reports for a GPU.
struct IntelCounts {
  std::string name{};                       ///< of the device
  std::uint32_t execution_units = 0;        ///< CL_DEVICE_MAX_COMPUTE_UNITS: the enabled ones
  std::optional<std::uint32_t> ip_version;  ///< CL_DEVICE_IP_VERSION_INTEL
  std::optional<std::uint32_t> slices;
  std::optional<std::uint32_t> sub_slices_per_slice;
};

/// Units (sub-slices, dual sub-slices or Xe-cores) that follow from the counts.
struct IntelUnits {
  std::optional<std::uint32_t> count;
  std::string lack;  ///< why the counts disagree or give no number; else empty
};

/// Execution units of one unit by the IP version; empty for one that has no source.
std::optional<std::uint32_t> execution_units_per_unit(std::uint32_t ip_version);

/// Whether the name is that of an Arc card with Xe2 units ("Intel(R) Arc(TM) B580 Graphics", "Arc
/// Pro B60", "Arc 140V").
bool is_xe2_name(const std::string& name);

/// The execution units by those of one unit, rounded up. A name of Xe2 goes before the IP version.
/// Slices times sub-slices only check it: both are rounded up on parts with disabled sub-slices,
/// and on Windows a sub-slice of Arc is half a Xe-core (intel/compute-runtime, hw_info.cpp and
/// wddm.cpp).
IntelUnits intel_units(const IntelCounts& counts);

}  // namespace percycle::opencl
