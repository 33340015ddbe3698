#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/identity.hpp"
#include "device/info.hpp"
#include "limits/limits.hpp"

namespace percycle {

/// A card whose number of units OpenCL, Vulkan and the catalogue state differently.
struct UnitContradiction {
  Api api = Api::opencl;  ///< of the card's first device
  std::string card;       ///< its name
  std::string text;       ///< all counts, and the one that percycle takes
};

/// The number of units of a whole card by the catalogue; empty for a part of a card or an unknown
/// one.
std::optional<std::uint32_t> catalogue_units(const LimitsCatalogue& catalogue, const Card& card);

/// Whether `text` says that sources contradict each other on the units.
bool is_unit_contradiction(std::string_view text);

/// The line of `info.lacks` by which OpenCL, Vulkan and the catalogue contradict each other on the
/// units; empty if there is none.
std::string unit_contradiction(const DeviceInfo& info);

/// Compares the numbers of units of each card, in units of its architecture. An RDNA device that
/// counts twice the units of another source counts compute units, not WGPs (a setting that no query
/// shows), and gets half; no other count changes. Every device of a card that contradicts itself
/// gets the text among its `lacks`.
std::vector<UnitContradiction> agree_on_units(std::vector<DeviceInfo>& devices, std::string_view host_cpu_name,
                                              const LimitsCatalogue& catalogue);

}  // namespace percycle
