#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "experiments/experiment.hpp"

namespace percycle {

// A kernel's execution mode has two parts. `subgroup_size` can be required if the API allows it
// (VK_EXT_subgroup_size_control, cl_intel_required_subgroup_size). OpenCL on AMD takes `wgp_mode`
// for a whole run.

inline const NumberParameter kSubgroupSize{"subgroup_size", "required subgroup size, if the API can choose it"};
inline const WordParameter kWgpMode{
    "wgp_mode",
    {ParameterSpec::kAutomatic, "wgp", "cu"},
    "for AMD RDNA through OpenCL, for the whole run: a work-group runs on both CUs of a WGP (wgp) or on one (cu)"};

/// Adds the user's requirements to the point. Without a requirement compiler and driver choose.
void require_execution_mode(Point& point, const Options& options);

/// Why this device cannot take the wgp_mode that the point requires. Pure.
std::optional<std::string> wgp_mode_unsupported(const DeviceInfo& device, const Point& point);

/// The subgroup size that the point requires.
std::optional<std::uint32_t> required_subgroup_size(const Point& point);

/// Most invocations of a work-group with the required subgroup size.
std::uint32_t largest_group(const DeviceInfo& device, std::optional<std::uint32_t> required);

/// Why no kernel of this device can have work-groups of `group_size` with the required subgroup
/// size. Pure.
std::optional<std::string> group_unsupported(const DeviceInfo& device, std::uint32_t group_size,
                                             std::optional<std::uint32_t> required);

/// Records the subgroup size of the timed kernel in `trial.observed` if the driver reports it.
void observe_subgroup_size(Trial& trial, const Device& device);

/// Records the subgroup size of the timed kernel and, on AMD's devices, `wgp_mode` in
/// `trial.observed`. Each may be "unknown".
void observe_execution(Trial& trial, const Device& device);

}  // namespace percycle
