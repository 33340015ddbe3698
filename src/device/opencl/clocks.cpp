#include "device/opencl/clocks.hpp"

#include <string_view>

namespace percycle::opencl {
namespace {

/// Whether AMD's compiler has __builtin_amdgcn_s_memtime for the device: GCN, CDNA, RDNA 1 and 2,
/// but not gfx11 and later. Only AMD's own platform compiles with clang for the device's ISA; there
/// the device's name is the ISA's.
bool has_s_memtime(const DeviceQuery& query) {
  if (platform_text(query.platform(), CL_PLATFORM_NAME) != "AMD Accelerated Parallel Processing") return false;
  const std::string name = query.text(CL_DEVICE_NAME);
  // "gfx90a:sramecc+:xnack-"
  const std::string_view isa = std::string_view(name).substr(0, name.find(':'));
  for (const std::string_view prefix : {"gfx6", "gfx7", "gfx8", "gfx9", "gfx10"}) {
    if (isa.starts_with(prefix)) return true;
  }
  return false;
}

}  // namespace

bool Clocks::needs_khr() const {
  return unit == ClockSource::khr_sub_group || unit == ClockSource::khr_work_group || device == ClockSource::khr_device;
}

Clocks find_clocks(const DeviceQuery& query, DeviceType type) {
  Clocks clocks;
  // A CPU's counters tick at the rate of the time-stamp counter, not of a core.
  if (type == DeviceType::cpu) return clocks;
  if (query.has("cl_nv_device_attribute_query")) return {ClockSource::ptx, ClockSource::ptx};
  if (query.has("cl_khr_kernel_clock")) {
    const auto scopes = query.number<cl_bitfield>(kKernelClockCapabilities);
    if ((scopes & kKernelClockSubGroup) != 0) {
      clocks.unit = ClockSource::khr_sub_group;
    } else if ((scopes & kKernelClockWorkGroup) != 0) {
      clocks.unit = ClockSource::khr_work_group;
    }
    if ((scopes & kKernelClockDevice) != 0) clocks.device = ClockSource::khr_device;
  }
  if (has_s_memtime(query)) clocks.unit = ClockSource::amdgcn;
  return clocks;
}

std::optional<KernelClock> unit_clock(const Clocks& clocks) {
  switch (clocks.unit) {
    case ClockSource::ptx:
      return KernelClock{.name = "PTX %clock64", .device_wide = false, .tick_ns = std::nullopt};
    case ClockSource::amdgcn:
      return KernelClock{.name = "AMDGCN s_memtime", .device_wide = false, .tick_ns = std::nullopt};
    case ClockSource::khr_sub_group:
      return KernelClock{.name = "cl_khr_kernel_clock sub_group", .device_wide = false, .tick_ns = std::nullopt};
    case ClockSource::khr_work_group:
      return KernelClock{.name = "cl_khr_kernel_clock work_group", .device_wide = false, .tick_ns = std::nullopt};
    default:
      return std::nullopt;
  }
}

std::optional<KernelClock> device_clock(const Clocks& clocks) {
  switch (clocks.device) {
    // "a 64-bit global nanosecond clock counter", PTX ISA, Special Registers
    case ClockSource::ptx:
      return KernelClock{.name = "PTX %globaltimer", .device_wide = true, .tick_ns = 1.0};
    case ClockSource::khr_device:  // the extension leaves its unit open
      return KernelClock{.name = "cl_khr_kernel_clock device", .device_wide = true, .tick_ns = std::nullopt};
    default:
      return std::nullopt;
  }
}

std::optional<std::string> unit_id(const Clocks& clocks) {
  if (clocks.unit != ClockSource::ptx) return std::nullopt;
  return "PTX %smid";
}

}  // namespace percycle::opencl
