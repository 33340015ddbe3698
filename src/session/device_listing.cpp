#include "session/device_listing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "core/api_words.hpp"
#include "core/figures.hpp"
#include "core/units.hpp"
#include "device/card_names.hpp"
#include "device/identity.hpp"
#include "device/selector.hpp"
#include "limits/agreed_units.hpp"
#include "limits/architecture.hpp"
#include "limits/limits.hpp"
#include "session/identity_checks.hpp"
#include "session/labelled_lines.hpp"
#include "store/record_json.hpp"

namespace percycle {
namespace {

std::string note(std::string_view text) { return text.empty() ? "" : fmt::format(" ({})", text); }

std::string units_text(const DeviceInfo& info, const std::optional<Architecture>& architecture,
                       std::optional<std::uint32_t> listed) {
  const UnitCount units = unit_count(info, architecture);
  const std::string also = listed ? fmt::format("; {} by the catalogue", *listed) : "";
  if (!units.count) return (units.note.empty() ? "not reported" : units.note) + also;
  return fmt::format("{} x {}, {}{}{}", units.count->value, unit_name(architecture), to_string(units.count->provenance),
                     note(units.note), also);
}

std::string clock_text(const DeviceInfo& info) {
  if (!info.clock_mhz) return "not reported";
  return fmt::format("{} {}, {}", info.clock_mhz->value, unit_text::kMhz, to_string(info.clock_mhz->provenance));
}

std::string memory_text(const DeviceInfo& info) {
  return fmt::format("{}, largest allocation {}", info.memory_bytes ? format_bytes(*info.memory_bytes) : "not reported",
                     info.max_allocation_bytes ? format_bytes(*info.max_allocation_bytes) : "not reported");
}

std::string cache_text(const DeviceInfo& info) {
  if (!info.cache_bytes && !info.cache_line_bytes) return "not reported";
  return fmt::format("{}, line {} (as reported, which is rarely one level's size)",
                     info.cache_bytes ? format_bytes(*info.cache_bytes) : "size not reported",
                     info.cache_line_bytes ? format_bytes(*info.cache_line_bytes) : "not reported");
}

std::string some_bytes(std::uint64_t bytes) { return bytes == 0 ? "none" : format_bytes(bytes); }

std::string buffers_text(const DeviceInfo& info) {
  return fmt::format("storage {}, constants {}, texels {}", some_bytes(info.max_storage_bytes), some_bytes(info.constant_bytes),
                     info.max_texel_elements == 0 ? "none" : fmt::format("{}", info.max_texel_elements));
}

std::string dispatch_text(const DeviceInfo& info) {
  return fmt::format("{} invocations per group, {} groups, {} B of parameters", info.max_group_size, info.max_groups,
                     info.max_parameter_bytes);
}

std::string subgroups_text(const DeviceInfo& info) {
  if (info.subgroup_sizes.empty()) return "not reported";
  return fmt::format("{}, the size {} be chosen", fmt::join(info.subgroup_sizes, ", "),
                     info.subgroup_size_control ? "can" : "cannot");
}

std::string kernels_text(const DeviceInfo& info) {
  return fmt::format("{}-bit pointers, addresses of buffers: {}, 64-bit integers: {}", info.address_bits,
                     info.buffer_addresses ? "yes" : "no", info.int64 ? "yes" : "no");
}

std::string atomics_text(const DeviceInfo& info) {
  const auto where = [](bool global, bool local) {
    return global && local ? "global and local" : global ? "global only" : local ? "local only" : "no";
  };
  return fmt::format("64-bit integers: {}; floating-point add: {}", where(info.global_atomics.int64, info.local_atomics.int64),
                     where(info.global_atomics.float_add, info.local_atomics.float_add));
}

std::string timer_text(const DeviceInfo& info) {
  if (!info.timer_period_ns) return "none";
  return fmt::format("{:.6g} {} per tick, {}", *info.timer_period_ns, unit_text::kNs,
                     info.timer_valid_bits ? fmt::format("{} valid bits", *info.timer_valid_bits) : "valid bits not reported");
}

std::string clock_name(const std::optional<KernelClock>& clock) {
  if (!clock) return "none";
  return clock->tick_ns ? fmt::format("{} ({:.6g} {} per tick)", clock->name, *clock->tick_ns, unit_text::kNs) : clock->name;
}

/// The other selectors that name this device.
std::string known_as(const DeviceInfo& info) {
  std::vector<std::string> names;
  if (info.uuid) names.push_back("UUID " + *info.uuid);
  if (info.pci) names.push_back("PCI " + *info.pci);
  return names.empty() ? "its name only" : fmt::format("{}", fmt::join(names, ", "));
}

std::string peer_text(const DeviceInfo& info, const PeerDevice& peer) {
  return fmt::format("{}:{} {}{}", to_string(info.api), peer.index, peer.name, peer.pci ? ", PCI " + *peer.pci : "");
}

/// The selectors of the card's other devices through the same API.
std::vector<std::string> other_drivers(const Card& card, const DeviceInfo& info) {
  std::vector<std::string> others;
  for (const DeviceInfo& other : card.devices) {
    if (other.api == info.api && selector(other) != selector(info)) others.push_back(selector(other));
  }
  return others;
}

void add_device(LabelledLines& lines, const Card& card, const DeviceInfo& info, const std::optional<Architecture>& architecture) {
  constexpr std::size_t kIndent = 4;
  const auto field = [&](std::string_view label, std::string_view text) { lines.field(kIndent, label, text); };
  lines.line("");
  lines.field(2, selector(info), info.name);
  if (!info.compile_only.empty()) field("cannot run", info.compile_only);
  if (const auto others = other_drivers(card, info); !others.empty())
    field("same card", fmt::format("{}, through another driver", fmt::join(others, ", ")));
  field("known by", known_as(info));
  field("platform", fmt::format("{}, {} {}", info.platform, api_words(info.api), info.api_version));
  for (const DeviceCheck& check : identity_checks(info)) field(check.name, check.text);
  field("driver", info.driver.empty() ? "not reported" : info.driver);
  if (!info.driver_manifest.empty()) field("found through", info.driver_manifest);
  field("units", units_text(info, architecture, catalogue_units(limits_catalogue(), card)));
  field("clock", clock_text(info));
  field("memory", memory_text(info));
  field("local memory", info.local_memory_bytes == 0 ? "none" : format_bytes(info.local_memory_bytes) + " per work-group");
  field("cache", cache_text(info));
  field("buffers", buffers_text(info));
  field("dispatch", dispatch_text(info));
  if (info.queue) field("queue", *info.queue);
  for (std::size_t i = 0; i < info.peers.size(); ++i) field(i == 0 ? "peers" : "", peer_text(info, info.peers[i]));
  field("subgroups", subgroups_text(info));
  field("kernels", kernels_text(info));
  field("atomics", atomics_text(info));
  field("timer", timer_text(info));
  field("kernel clocks", fmt::format("unit: {}; device: {}", clock_name(info.unit_clock), clock_name(info.device_clock)));
  field("unit number", info.unit_id.value_or("none"));
  if (info.max_loop_iterations)
    field("loops end after", fmt::format("{} iterations of one invocation", *info.max_loop_iterations));
  for (std::size_t i = 0; i < info.lacks.size(); ++i) field(i == 0 ? "lacks" : "", "- " + info.lacks[i]);
}

std::string architecture_text(const std::optional<Architecture>& architecture) {
  return architecture ? fmt::format("{}, unit: {}", architecture->name, architecture->unit_name) : "unknown";
}

/// The values of one property over the devices of a card, each once, in their order.
std::string each_once(const Card& card, std::string DeviceInfo::*member) {
  std::vector<std::string> unique;
  for (const DeviceInfo& info : card.devices) {
    if (std::find(unique.begin(), unique.end(), info.*member) == unique.end()) unique.push_back(info.*member);
  }
  return fmt::format("{}", fmt::join(unique, " / "));
}

/// How to call each card.
std::vector<std::string> names_of(const std::vector<Card>& cards) {
  std::vector<CardKey> keys;
  for (const Card& card : cards) {
    CardKey& key = keys.emplace_back(CardKey{each_once(card, &DeviceInfo::name), card.identity});
    for (const DeviceInfo& info : card.devices) {
      if (!key.pci) key.pci = info.pci;
    }
  }
  return card_names(keys);
}

void add_card(LabelledLines& lines, const Card& card, const std::string& name) {
  const std::optional<Architecture> architecture = recognise(card);
  lines.line(name);
  lines.field(2, "identity", card.identity);
  lines.field(2, "vendor", each_once(card, &DeviceInfo::vendor));
  lines.field(2, "architecture", architecture_text(architecture));
  for (const DeviceInfo& info : card.devices) add_device(lines, card, info, architecture);
  lines.line("");
}

/// The APIs that show no device, in words; empty if both do.
std::string missing(const Enumeration& enumeration) {
  const auto shows = [&](Api api) {
    return std::any_of(enumeration.devices.begin(), enumeration.devices.end(),
                       [api](const DeviceInfo& info) { return info.api == api; });
  };
  const bool opencl = shows(Api::opencl);
  const bool vulkan = shows(Api::vulkan);
  if (opencl && vulkan) return "";
  return opencl   ? "No Vulkan device was found."
         : vulkan ? "No OpenCL device was found."
                  : "No OpenCL or Vulkan device was found.";
}

nlohmann::json to_json(const UnitCount& units) {
  nlohmann::json json = nlohmann::json::object();
  if (units.count) json["value"] = units.count->value;
  if (units.count) json["provenance"] = to_string(units.count->provenance);
  if (!units.note.empty()) json["note"] = units.note;
  return json;
}

nlohmann::json to_json(const Card& card) {
  const std::optional<Architecture> architecture = recognise(card);
  nlohmann::json json = {{"identity", card.identity}, {"devices", nlohmann::json::array()}};
  if (architecture) {
    json["architecture"] = {
        {"vendor", architecture->vendor}, {"name", architecture->name}, {"unit_name", architecture->unit_name}};
  }
  for (const DeviceInfo& info : card.devices) {
    nlohmann::json device = {{"selector", selector(info)}, {"info", percycle::to_json(info)}};
    if (const auto listed = catalogue_units(limits_catalogue(), card)) device["catalogue_units"] = *listed;
    if (nlohmann::json units = to_json(unit_count(info, architecture)); !units.empty()) device["unit_count"] = std::move(units);
    json["devices"].push_back(std::move(device));
  }
  return json;
}

}  // namespace

std::string devices_text(const Enumeration& enumeration, std::string_view host_cpu_name,
                         const std::vector<std::string>& simulated) {
  LabelledLines lines;
  const std::vector<Card> cards = group_by_card(enumeration.devices, host_cpu_name);
  const std::vector<std::string> names = names_of(cards);
  for (std::size_t i = 0; i < cards.size(); ++i) add_card(lines, cards[i], names[i]);
  if (const std::string none = missing(enumeration); !none.empty()) lines.line(none);
  if (enumeration.devices.empty()) lines.field(0, "next step", driver_advice());
  lines.field(0, "simulated", fmt::format("run --device sim:NAME simulates {}", fmt::join(simulated, ", ")));
  if (!enumeration.problems.empty()) lines.line("Problems");
  for (const EnumerationProblem& problem : enumeration.problems) {
    lines.field(2, to_string(problem.api), fmt::format("{}: {}", problem.where, problem.message));
  }
  return lines.take();
}

nlohmann::json devices_json(const Enumeration& enumeration, std::string_view host_cpu_name,
                            const std::vector<std::string>& simulated) {
  nlohmann::json json = {{"cards", nlohmann::json::array()}, {"problems", nlohmann::json::array()}, {"simulated", simulated}};
  for (const Card& card : group_by_card(enumeration.devices, host_cpu_name)) json["cards"].push_back(to_json(card));
  for (const EnumerationProblem& problem : enumeration.problems) json["problems"].push_back(percycle::to_json(problem));
  return json;
}

}  // namespace percycle
