#pragma once

#include <optional>
#include <string>

#include "device/info.hpp"
#include "device/opencl/query.hpp"

namespace percycle::opencl {

/// A kernel's way to read a counter. The values are those of CLOCK_* in cl_kernels/prelude.h.
enum class ClockSource {
  none = 0,
  ptx = 1,             ///< NVIDIA: inline PTX
  amdgcn = 2,          ///< AMD: clang builtin
  khr_sub_group = 3,   ///< cl_khr_kernel_clock
  khr_work_group = 4,  ///< cl_khr_kernel_clock
  khr_device = 5,      ///< cl_khr_kernel_clock
};

/// The counters that OpenCL C can read on one device.
struct Clocks {
  ClockSource unit = ClockSource::none;
  ClockSource device = ClockSource::none;

  bool needs_khr() const;
};

/// Decides by names and extensions; compiles nothing.
Clocks find_clocks(const DeviceQuery& query, DeviceType type);

/// In the form of DeviceInfo; empty for ClockSource::none.
std::optional<KernelClock> unit_clock(const Clocks& clocks);
std::optional<KernelClock> device_clock(const Clocks& clocks);

/// The inline PTX that reads the number of the unit, in the form of DeviceInfo. PTX counters imply
/// it.
std::optional<std::string> unit_id(const Clocks& clocks);

}  // namespace percycle::opencl
