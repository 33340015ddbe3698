#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "platform/environment.hpp"

namespace percycle {

/// The environment variable by which AMD's OpenCL runs each RDNA work-group on both compute units
/// of a work-group processor or ("0") on one of them. Read at process start, for all kernels.
/// (ROCclr, rocsettings.cpp: enableWgpMode_, gfx10 and later.)
inline constexpr const char* kWgpModeVariable = "GPU_ENABLE_WGP_MODE";

/// "wgp" or "cu" by this process' environment; nullopt if it is not set.
inline std::optional<std::string> wgp_mode_asked() {
  const auto setting = environment_variable(kWgpModeVariable);
  if (!setting) return std::nullopt;
  return *setting == "0" ? "cu" : "wgp";
}

/// Work-group processors of an RDNA device for which AMD's OpenCL reports `compute_units`: it
/// counts WGPs, in CU mode their two halves. (ROCclr, rocdevice.cpp: maxComputeUnits_.)
inline std::uint32_t work_group_processors(std::uint32_t compute_units) {
  return wgp_mode_asked() == "cu" ? compute_units / 2 : compute_units;
}

}  // namespace percycle
