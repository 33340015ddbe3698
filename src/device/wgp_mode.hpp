#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "platform/environment.hpp"

namespace percycle {

/// What AMD's OpenCL takes from its process' environment when it starts, for all kernels: whether a work-group of RDNA runs on both compute
/// units of a work-group processor, or ("0") on one of them. (ROCclr, rocsettings.cpp: enableWgpMode_, gfx10 and later.)
inline constexpr const char* kWgpModeVariable = "GPU_ENABLE_WGP_MODE";

/// "wgp" or "cu", as this process' environment says; nullopt where it does not.
inline std::optional<std::string> wgp_mode_asked() {
  const auto setting = environment_variable(kWgpModeVariable);
  if (!setting) return std::nullopt;
  return *setting == "0" ? "cu" : "wgp";
}

/// Work-group processors of an RDNA device of which AMD's OpenCL reports `compute_units`: it counts WGPs, and in CU mode their two halves.
/// (ROCclr, rocdevice.cpp: maxComputeUnits_.)
inline std::uint32_t work_group_processors(std::uint32_t compute_units) {
  return wgp_mode_asked() == "cu" ? compute_units / 2 : compute_units;
}

}  // namespace percycle
