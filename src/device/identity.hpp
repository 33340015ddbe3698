#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/info.hpp"

namespace percycle {

/// 32 lower-case hexadecimal digits of a UUID with or without dashes and NVIDIA's "GPU-" prefix;
/// empty if it is no UUID or all zeros, which drivers report for "none".
std::optional<std::string> canonical_uuid(std::string_view text);

/// "0000:3b:00.0" from a PCI address in any case, with or without a domain; empty if it is none.
std::optional<std::string> canonical_pci(std::string_view text);

/// Begins the line of DeviceInfo::lacks that says that a driver states no PCI domain. `pci` then
/// has domain 0, which may be another card's.
inline constexpr std::string_view kNoPciDomain = "PCI domain: ";

/// The vendor of a GPU, which determines its instruction set and compiler. Empty for a CPU: PoCL
/// reports the CPU's maker as the vendor, which determines neither architecture nor unit.
std::string_view gpu_vendor(const DeviceInfo& info);

/// The silicon by this device's own properties: "uuid:...", else "pci:...", else
/// "name:VENDOR/NAME"; "cpu:HOST" for CPUs, because their drivers invent UUIDs; "sim:NAME/model
/// HASH" for a model. Prefer Card::identity: another device of the card may have more properties.
std::string identity(const DeviceInfo& info, std::string_view host_cpu_name);

/// One piece of silicon and all devices that represent it.
struct Card {
  std::string identity;  ///< equal in every run that sees the same devices; see group_by_card()
  std::vector<DeviceInfo> devices;
};

/// Groups devices by UUID or PCI address, also if a third device connects them, else by vendor and
/// name if no driver lists two of that name. Keeps the order of `devices`. A card's identity is its
/// UUID; if its drivers disagree on it, the PCI address, so that their order does not matter. An
/// address without its domain counts as that of the one card of the vendor at this bus, if others
/// show which.
std::vector<Card> group_by_card(const std::vector<DeviceInfo>& devices, std::string_view host_cpu_name);

/// The identity of the card in `cards` that has `info` (by selector). Throws std::out_of_range if
/// none does.
const std::string& card_identity(const std::vector<Card>& cards, const DeviceInfo& info);

/// The compute capability of `info`, else the one that another API reports for its card in `cards`;
/// empty if unknown.
std::optional<std::string> card_capability(const std::vector<Card>& cards, const DeviceInfo& info);

}  // namespace percycle
