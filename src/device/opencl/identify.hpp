#pragma once

#include "device/info.hpp"
#include "device/opencl/query.hpp"

namespace percycle::opencl {

/// Fills what tells which piece of silicon a device is: name, vendor, versions, UUID, PCI address, architecture. `info.type` is
/// known.
void identify(const DeviceQuery& query, DeviceInfo& info);

}  // namespace percycle::opencl
