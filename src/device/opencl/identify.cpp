#include "device/opencl/identify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "device/identity.hpp"

namespace percycle::opencl {
namespace {

std::string vendor_of_text(const std::string& text) {
  const auto says = [&](std::string_view word) { return text.find(word) != std::string::npos; };
  if (says("NVIDIA")) return "NVIDIA";
  if (says("Advanced Micro Devices") || says("AMD")) return "AMD";
  if (says("Intel") || says("INTEL")) return "Intel";
  return text;
}

/// Empty for an unknown vendor number.
std::string vendor_of_id(std::uint32_t id) {
  switch (id) {
    case 0x10de:
      return "NVIDIA";
    case 0x1002:
    case 0x1022:
      return "AMD";
    case 0x8086:
      return "Intel";
    default:
      return {};
  }
}

/// The text decides, because PoCL gives Intel's number to every x86 CPU.
std::string vendor(const std::string& text, std::uint32_t id, std::vector<std::string>& lacks) {
  const std::string by_text = vendor_of_text(text);
  const std::string by_id = vendor_of_id(id);
  if (by_text.empty()) return by_id.empty() ? fmt::format("vendor 0x{:04x}", id) : by_id;
  if (!by_id.empty() && by_id != by_text)
    lacks.push_back(fmt::format("vendor id: 0x{:04x} is {}'s, the name says '{}'", id, by_id, text));
  return by_text;
}

std::optional<std::string> uuid(const DeviceQuery& query) {
  using Uuid = std::array<unsigned char, kUuidBytes>;
  if (!query.has("cl_khr_device_uuid")) return std::nullopt;
  const std::optional<Uuid> bytes = query.positive<Uuid>(kDeviceUuid);
  if (!bytes) return std::nullopt;
  std::string digits;
  for (const unsigned char byte : *bytes) digits += fmt::format("{:02x}", byte);
  return digits;
}

std::string pci_text(cl_uint domain, cl_uint bus, cl_uint device, cl_uint function) {
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", domain, bus, device, function);
}

std::optional<std::string> pci(const DeviceQuery& query, std::vector<std::string>& lacks) {
  if (query.has("cl_khr_pci_bus_info")) {
    if (const auto at = query.value<PciBusInfo>(kPciBusInfo)) return pci_text(at->domain, at->bus, at->device, at->function);
  }
  if (query.has("cl_nv_device_attribute_query")) {
    const auto bus = query.value<cl_uint>(kPciBusNv);
    const auto slot = query.value<cl_uint>(kPciSlotNv);
    const auto domain = query.value<cl_uint>(kPciDomainNv);
    if (bus && slot) {
      if (!domain) lacks.push_back(fmt::format("{}the driver reports none; percycle takes 0", kNoPciDomain));
      return pci_text(domain.value_or(0), *bus, *slot >> 3, *slot & 7);
    }
  }
  if (query.has("cl_amd_device_attribute_query")) {
    const auto at = query.value<TopologyAmd>(kTopologyAmd);
    if (at && at->type == kTopologyTypePcieAmd) {
      lacks.push_back(fmt::format("{}cl_amd_device_attribute_query reports none; percycle takes 0", kNoPciDomain));
      return pci_text(0, at->bus, at->device, at->function);
    }
  }
  return std::nullopt;
}

std::optional<std::string> architecture(const DeviceQuery& query) {
  if (query.has("cl_nv_device_attribute_query")) {
    const auto major = query.positive<cl_uint>(kComputeCapabilityMajorNv);
    const auto minor = query.value<cl_uint>(kComputeCapabilityMinorNv);
    if (major && minor) return fmt::format("{}.{}", *major, *minor);
  }
  if (query.has("cl_amd_device_attribute_query")) {
    const std::string name = query.text(CL_DEVICE_NAME);  // "gfx90a:sramecc+:xnack-"
    if (name.starts_with("gfx")) return name.substr(0, name.find(':'));
  }
  if (query.has("cl_intel_device_attribute_query")) {
    // Packed as the hardware does: 10 bits of architecture, 8 of release, 6 of revision at the
    // bottom.
    if (const auto ip = query.positive<cl_uint>(kIpVersionIntel)) {
      return fmt::format("{}.{}.{}", *ip >> 22, (*ip >> 14) & 0xffu, *ip & 0x3fu);
    }
  }
  return std::nullopt;
}

}  // namespace

void identify(const DeviceQuery& query, DeviceInfo& info) {
  info.name = query.text(CL_DEVICE_NAME);
  if (query.has("cl_amd_device_attribute_query")) {  // there the name is the ISA's
    if (const std::string board = query.text(kBoardNameAmd); !board.empty()) info.name = board;
  }
  info.vendor_id = query.number<cl_uint>(CL_DEVICE_VENDOR_ID);
  info.vendor = vendor(query.text(CL_DEVICE_VENDOR), info.vendor_id, info.lacks);
  info.platform = platform_text(query.platform(), CL_PLATFORM_NAME);
  info.api_version = query.version_text();
  info.driver = query.text(CL_DRIVER_VERSION);
  info.uuid = uuid(query);
  info.pci = pci(query, info.lacks);
  info.compute_capability = architecture(query);
  if (info.type == DeviceType::cpu) return;  // a CPU has none of the three
  if (!info.uuid) info.lacks.emplace_back("UUID: the driver reports none (cl_khr_device_uuid)");
  if (!info.pci) info.lacks.emplace_back("PCI address: the driver reports none");
  if (!info.compute_capability) info.lacks.emplace_back("architecture: the driver reports none");
}

}  // namespace percycle::opencl
