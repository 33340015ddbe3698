#pragma once

#include "device/info.hpp"
#include "device/opencl/query.hpp"

namespace percycle::opencl {

/// Fills the properties that identify a device: name, vendor, versions, UUID, PCI address,
/// architecture. Expects `info.type`.
void identify(const DeviceQuery& query, DeviceInfo& info);

}  // namespace percycle::opencl
