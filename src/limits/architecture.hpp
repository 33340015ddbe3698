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
  std::string name;  ///< "Hopper", "RDNA2", "Gen9"; "CPU" for every CPU
  /// The vendor's name: "SM", "CU", "WGP", "subslice", "Xe-core"; "core" for a CPU.
  std::string unit_name;

  bool operator==(const Architecture&) const = default;
};

/// The architecture by limits/architectures.toml; empty if no rule matches the device.
std::optional<Architecture> recognise(const DeviceInfo& info);

/// The architecture of the silicon. A compute capability from any API goes before a name (Vulkan
/// has only names).
std::optional<Architecture> recognise(const Card& card);

/// The architecture of this name, as recognise() returns it; "CPU" has no vendor. Empty if there is
/// none.
std::optional<Architecture> architecture_named(std::string_view name);

/// The vendor's name of a unit; "unit" if the architecture is unknown.
std::string unit_name(const std::optional<Architecture>& architecture);

/// The number of units of a device.
struct UnitCount {
  std::optional<Sourced<std::uint32_t>> count;
  /// How the count follows from the driver's figure, and when it is wrong; may be empty.
  std::string note;
};

/// The device's count in units of its architecture. Empty if the driver reports no size or an
/// impossible size for this architecture.
UnitCount unit_count(const DeviceInfo& info, const std::optional<Architecture>& architecture);

}  // namespace percycle
