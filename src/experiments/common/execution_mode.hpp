#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "experiments/experiment.hpp"

namespace percycle {

/// How the device runs a kernel's lanes: `subgroup_size`, which the user may require where the API allows it (VK_EXT_subgroup_size_control,
/// cl_intel_required_subgroup_size), and `wgp_mode` of AMD's devices, which the user may require of OpenCL for a whole run. What was not
/// chosen is observed, or "unknown".

/// The parameters `subgroup_size` and `wgp_mode`.
ParameterSpec subgroup_size_parameter();
ParameterSpec wgp_mode_parameter();

/// Adds what the user requires to the point; nothing where the compiler and the driver are to choose.
void require_execution_mode(Point& point, const Options& options);

/// Why this device cannot be told the mode that the point requires. Pure.
std::optional<std::string> wgp_mode_unsupported(const DeviceInfo& device, const Point& point);

/// The size that the point requires.
std::optional<std::uint32_t> required_subgroup_size(const Point& point);

/// Invocations that a work-group of such subgroups can have.
std::uint32_t largest_group(const DeviceInfo& device, std::optional<std::uint32_t> required);

/// Why no kernel of this device can have work-groups of `group_size` of such subgroups. Pure.
std::optional<std::string> group_unsupported(const DeviceInfo& device, std::uint32_t group_size,
                                             std::optional<std::uint32_t> required);

/// Notes in the trial what its timed kernel runs with: `subgroup_size`, on AMD's devices `wgp_mode`; each may be "unknown".
void observe_execution(Trial& trial, const Device& device);

}  // namespace percycle
