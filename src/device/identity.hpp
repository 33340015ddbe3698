#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/info.hpp"

namespace percycle {

/// 32 lower-case hexadecimal digits from a UUID with or without dashes and an NVIDIA "GPU-" prefix; empty when it is no UUID or
/// the all-zero one, which drivers report for "none".
std::optional<std::string> canonical_uuid(std::string_view text);

/// "0000:3b:00.0" from a PCI address of any case, with or without its domain; empty when it is none.
std::optional<std::string> canonical_pci(std::string_view text);

/// The vendor of a GPU, which decides its instruction set and its compiler. Empty for a CPU: PoCL reports the CPU's maker as the
/// vendor, which decides neither.
std::string_view gpu_vendor(const DeviceInfo& info);

/// The silicon by what this one device tells: "uuid:...", else "pci:...", else "name:VENDOR/NAME". CPU devices are all
/// "cpu:HOST": software drivers make up their UUIDs, but there is one host. A simulated device is its model and the hash of the
/// model's text: "sim:NAME/model HASH". Where another device of the same card may know more,
/// use Card::identity.
std::string identity(const DeviceInfo& info, std::string_view host_cpu_name);

/// One piece of silicon and every device through which it is seen.
struct Card {
  std::string identity;  ///< equal in every run that sees the same devices; see group_by_card()
  std::vector<DeviceInfo> devices;
};

/// Puts devices that share a UUID or a PCI address on one card, also by way of a third device that knows both. Devices with neither
/// meet by vendor and name, and only while no API gives that name to two devices, since nothing else tells identical cards apart.
/// Cards and the devices on them keep the order of `devices`.
///
/// A card's identity is its UUID, unless its drivers disagree on it: then its PCI address, so that it does not depend on their order.
std::vector<Card> group_by_card(const std::vector<DeviceInfo>& devices, std::string_view host_cpu_name);

/// The identity of the card in `cards` that holds `info` (by its selector). Throws std::out_of_range when none does.
const std::string& card_identity(const std::vector<Card>& cards, const DeviceInfo& info);

/// The compute capability of `info` (DeviceInfo::compute_capability), else what another API tells of its card in `cards`; empty where none does.
std::optional<std::string> card_capability(const std::vector<Card>& cards, const DeviceInfo& info);

}  // namespace percycle
