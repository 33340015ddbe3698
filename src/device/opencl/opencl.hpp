#pragma once

#include <cstdint>
#include <memory>

#include "device/device.hpp"
#include "device/enumeration_sink.hpp"

namespace percycle {

/// Enumerates every device of every OpenCL platform; DeviceInfo::index counts over all platforms.
/// Opens the loader at run time and reports a missing one as a problem. Never throws DeviceError.
void enumerate_opencl(const EnumerationSink& sink);

/// Opens device `index` of the enumeration. Throws DeviceError.
std::unique_ptr<Device> open_opencl(std::uint32_t index);

}  // namespace percycle
