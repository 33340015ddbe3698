#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/provenance.hpp"
#include "device/identity.hpp"
#include "device/info.hpp"

namespace percycle {

/// A family of GPUs that share the design of their unit.
struct Architecture {
  std::string vendor;
  std::string name;       ///< "Hopper", "RDNA2", "Gen9"; "CPU" for every CPU
  std::string unit_name;  ///< the vendor's own: "SM", "CU", "WGP", "subslice", "Xe-core"; "core" for a CPU

  bool operator==(const Architecture&) const = default;
};

/// The architecture by limits/architectures.toml; empty when no rule knows the device.
std::optional<Architecture> recognise(const DeviceInfo& info);

/// The architecture of the silicon: what a compute capability tells goes before what a name tells (Vulkan has only names).
std::optional<Architecture> recognise(const Card& card);

/// The architecture of this name, as recognise() gives it; of "CPU" without a vendor. Empty when there is no such.
std::optional<Architecture> architecture_named(std::string_view name);

/// The vendor's name of a unit, "unit" when the architecture is not known.
std::string unit_name(const std::optional<Architecture>& architecture);

/// How many units a device has.
struct UnitCount {
  std::optional<Sourced<std::uint32_t>> count;
  std::string
      note;  ///< how the count was made from what the driver reports, and when it is wrong; empty where there is nothing to say
};

/// The device's count in units of its architecture. Empty when the driver reports none, or one that cannot be of this
/// architecture.
UnitCount unit_count(const DeviceInfo& info, const std::optional<Architecture>& architecture);

}  // namespace percycle
