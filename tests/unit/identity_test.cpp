#include "device/identity.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace percycle::identity_test {

namespace {

constexpr const char* kUuid = "97eed6f72c1bd52f0f0f63e0cd4c1a11";
constexpr const char* kOtherUuid = "11eed6f72c1bd52f0f0f63e0cd4c1a97";

DeviceInfo gpu(Api api, std::uint32_t index, std::string name = "NVIDIA H200") {
  DeviceInfo info;
  info.api = api;
  info.index = index;
  info.name = std::move(name);
  info.vendor = "NVIDIA";
  info.type = DeviceType::gpu;
  return info;
}

DeviceInfo with(DeviceInfo info, std::optional<std::string> uuid, std::optional<std::string> pci) {
  info.uuid = std::move(uuid);
  info.pci = std::move(pci);
  return info;
}

DeviceInfo cpu(Api api, std::uint32_t index, std::string name) {
  DeviceInfo info = gpu(api, index, std::move(name));
  info.type = DeviceType::cpu;
  return info;
}

/// "IDENTITY: opencl:0 vulkan:0" per card.
std::vector<std::string> cards(const std::vector<DeviceInfo>& devices) {
  std::vector<std::string> lines;
  for (const Card& card : group_by_card(devices, "EPYC")) {
    std::string line = card.identity + ":";
    for (const DeviceInfo& info : card.devices) line += " " + std::string(to_string(info.api)) + std::to_string(info.index);
    lines.push_back(line);
  }
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a UUID is 32 digits however it is written") {
  CHECK(canonical_uuid("97eed6f72c1bd52f0f0f63e0cd4c1a11") == kUuid);
  CHECK(canonical_uuid("GPU-97EED6F7-2C1B-D52F-0F0F-63E0CD4C1A11") == kUuid);
  CHECK_FALSE(canonical_uuid("97eed6f72c1bd52f0f0f63e0cd4c1a1"));
  CHECK_FALSE(canonical_uuid("97eed6f72c1bd52f0f0f63e0cd4c1a1g"));
  CHECK_FALSE(canonical_uuid("00000000-0000-0000-0000-000000000000"));
  CHECK_FALSE(canonical_uuid(""));
}

TEST_CASE("a PCI address has a domain however it is written") {
  CHECK(canonical_pci("0000:3b:00.0") == "0000:3b:00.0");
  CHECK(canonical_pci("3B:00.0") == "0000:3b:00.0");
  CHECK(canonical_pci("A2F1:00:1f.7") == "a2f1:00:1f.7");
  CHECK_FALSE(canonical_pci("3b:00"));
  CHECK_FALSE(canonical_pci("0000-3b-00.0"));
  CHECK_FALSE(canonical_pci("0000:3b:00.0 "));
  CHECK_FALSE(canonical_pci("opencl:0"));
}

TEST_CASE("identity prefers UUID, then PCI address, then vendor and name; a CPU is the host") {
  const DeviceInfo info = gpu(Api::opencl, 0);
  CHECK(identity(with(info, kUuid, "0000:3b:00.0"), "EPYC") == "uuid:97eed6f72c1bd52f0f0f63e0cd4c1a11");
  CHECK(identity(with(info, std::nullopt, "3B:00.0"), "EPYC") == "pci:0000:3b:00.0");
  CHECK(identity(with(info, std::string(32, '0'), "3B:00.0"), "EPYC") == "pci:0000:3b:00.0");
  CHECK(identity(info, "EPYC") == "name:NVIDIA/NVIDIA H200");
  CHECK(identity(with(cpu(Api::vulkan, 0, "llvmpipe"), kUuid, std::nullopt), "EPYC") == "cpu:EPYC");
}

TEST_CASE("the same UUID is one card") {
  CHECK(cards({with(gpu(Api::opencl, 0), kUuid, std::nullopt),
               with(gpu(Api::vulkan, 0), "GPU-" + std::string(kUuid), std::nullopt)}) ==
        Lines{"uuid:97eed6f72c1bd52f0f0f63e0cd4c1a11: opencl0 vulkan0"});
}

TEST_CASE("the same PCI address is one card") {
  CHECK(cards({with(gpu(Api::opencl, 0), std::nullopt, "0000:3b:00.0"),
               with(gpu(Api::vulkan, 0, "other"), std::nullopt, "0000:3B:00.0")}) == Lines{"pci:0000:3b:00.0: opencl0 vulkan0"});
}

TEST_CASE("a device with a UUID and one with a PCI address meet through a third that knows both") {
  CHECK(cards({with(gpu(Api::opencl, 0), kUuid, std::nullopt), with(gpu(Api::opencl, 1), std::nullopt, "0000:3b:00.0"),
               with(gpu(Api::vulkan, 0), kUuid, "0000:3b:00.0")}) ==
        Lines{"uuid:97eed6f72c1bd52f0f0f63e0cd4c1a11: opencl0 opencl1 vulkan0"});
}

TEST_CASE("two drivers of one API on the same silicon are one card; its identity does not depend on their order") {
  DeviceInfo radv = with(gpu(Api::vulkan, 0), kUuid, "0000:03:00.0");
  radv.platform = "radv";
  const DeviceInfo amdvlk = with(gpu(Api::vulkan, 1), kOtherUuid, "0000:03:00.0");
  CHECK(cards({radv, amdvlk}) == Lines{"pci:0000:03:00.0: vulkan0 vulkan1"});
  CHECK(cards({amdvlk, radv}) == Lines{"pci:0000:03:00.0: vulkan1 vulkan0"});
}

TEST_CASE("two identical GPUs stay apart by UUID or address") {
  CHECK(
      cards({with(gpu(Api::opencl, 0), kUuid, std::nullopt), with(gpu(Api::opencl, 1), kOtherUuid, std::nullopt),
             with(gpu(Api::vulkan, 0), kOtherUuid, std::nullopt), with(gpu(Api::vulkan, 1), kUuid, std::nullopt)}) ==
      Lines{"uuid:97eed6f72c1bd52f0f0f63e0cd4c1a11: opencl0 vulkan1", "uuid:11eed6f72c1bd52f0f0f63e0cd4c1a97: opencl1 vulkan0"});
}

TEST_CASE("two identical GPUs to which one driver gives one UUID stay apart") {
  CHECK(cards({with(gpu(Api::vulkan, 0), kUuid, "0000:03:00.0"), with(gpu(Api::vulkan, 1), kUuid, "0000:04:00.0"),
               with(gpu(Api::opencl, 0), std::nullopt, "0000:04:00.0")}) ==
        Lines{"pci:0000:03:00.0: vulkan0", "pci:0000:04:00.0: vulkan1 opencl0"});
}

TEST_CASE("a device with only an ambiguous UUID stays alone") {
  CHECK(cards({with(gpu(Api::vulkan, 0), kUuid, "0000:03:00.0"), with(gpu(Api::vulkan, 1), kUuid, "0000:04:00.0"),
               with(gpu(Api::opencl, 0), kUuid, std::nullopt)}) ==
        Lines{"pci:0000:03:00.0: vulkan0", "pci:0000:04:00.0: vulkan1", "uuid:97eed6f72c1bd52f0f0f63e0cd4c1a11: opencl0"});
}

TEST_CASE("one UUID at two PCI addresses through two drivers of one API is one card") {
  DeviceInfo without_domain = with(gpu(Api::opencl, 1), kUuid, "0000:00:00.0");
  without_domain.platform = "another driver";
  CHECK(cards({with(gpu(Api::opencl, 0), kUuid, "a2f1:00:00.0"), without_domain}) ==
        Lines{"uuid:97eed6f72c1bd52f0f0f63e0cd4c1a11: opencl0 opencl1"});
}

TEST_CASE("one UUID at two PCI addresses through two APIs is one card: OpenCL may omit the domain") {
  CHECK(cards({with(gpu(Api::opencl, 0), kUuid, "0000:00:00.0"), with(gpu(Api::vulkan, 0), kUuid, "a2f1:00:00.0")}) ==
        Lines{"uuid:97eed6f72c1bd52f0f0f63e0cd4c1a11: opencl0 vulkan0"});
}

DeviceInfo without_domain(DeviceInfo info, std::string pci) {
  info.pci = std::move(pci);
  info.lacks.push_back(fmt::format("{}the driver reports none", kNoPciDomain));
  return info;
}

TEST_CASE("an address without a domain is that of the vendor's only card at this bus") {
  const DeviceInfo far = with(gpu(Api::vulkan, 0), std::nullopt, "0002:02:00.0");
  CHECK(cards({without_domain(gpu(Api::opencl, 0), "0000:02:00.0"), far}) == Lines{"pci:0002:02:00.0: opencl0 vulkan0"});
  DeviceInfo other_vendor = far;
  other_vendor.vendor = "AMD";
  CHECK(cards({without_domain(gpu(Api::opencl, 0), "0000:02:00.0"), other_vendor}) ==
        Lines{"pci:0000:02:00.0: opencl0", "pci:0002:02:00.0: vulkan0"});
}

TEST_CASE("an address without a domain names no card if several domains have one at this bus") {
  CHECK(cards({without_domain(gpu(Api::opencl, 0), "0000:02:00.0"), with(gpu(Api::vulkan, 0), std::nullopt, "0000:02:00.0"),
               with(gpu(Api::vulkan, 1), std::nullopt, "0001:02:00.0")}) ==
        Lines{"name:NVIDIA/NVIDIA H200#opencl:0: opencl0", "pci:0000:02:00.0: vulkan0", "pci:0001:02:00.0: vulkan1"});
}

TEST_CASE("equal cards in different domains stay apart") {
  CHECK(
      cards({with(gpu(Api::vulkan, 0), std::nullopt, "0000:02:00.0"), with(gpu(Api::vulkan, 1), std::nullopt, "0001:02:00.0")}) ==
      Lines{"pci:0000:02:00.0: vulkan0", "pci:0001:02:00.0: vulkan1"});
}

TEST_CASE("devices of different UUIDs that one driver shows at one address are parts of a card") {
  CHECK(cards({with(gpu(Api::opencl, 0), kUuid, "0000:3b:00.0"), with(gpu(Api::opencl, 1), kOtherUuid, "0000:3b:00.0")}) ==
        Lines{"uuid:97eed6f72c1bd52f0f0f63e0cd4c1a11: opencl0", "uuid:11eed6f72c1bd52f0f0f63e0cd4c1a97: opencl1"});
}

TEST_CASE("vendor and name join devices of two drivers of one API") {
  DeviceInfo other = gpu(Api::opencl, 1);
  other.platform = "another driver";
  CHECK(cards({gpu(Api::opencl, 0), other}) == Lines{"name:NVIDIA/NVIDIA H200: opencl0 opencl1"});
}

TEST_CASE("vendor and name join devices without other identity, one per API") {
  CHECK(cards({gpu(Api::opencl, 0), gpu(Api::vulkan, 0)}) == Lines{"name:NVIDIA/NVIDIA H200: opencl0 vulkan0"});
  CHECK(cards({gpu(Api::opencl, 0, "A"), gpu(Api::vulkan, 0, "B")}) == Lines{"name:NVIDIA/A: opencl0", "name:NVIDIA/B: vulkan0"});
}

TEST_CASE("vendor and name join no devices if an API has two with that name") {
  CHECK(cards({gpu(Api::opencl, 0), gpu(Api::opencl, 1), gpu(Api::vulkan, 0)}) ==
        Lines{"name:NVIDIA/NVIDIA H200#opencl:0: opencl0", "name:NVIDIA/NVIDIA H200#opencl:1: opencl1",
              "name:NVIDIA/NVIDIA H200#vulkan:0: vulkan0"});
}

TEST_CASE("vendor and name join no devices if a device with a UUID could match too") {
  CHECK(cards({gpu(Api::opencl, 0), with(gpu(Api::vulkan, 0), kUuid, std::nullopt), gpu(Api::vulkan, 1)}) ==
        Lines{"name:NVIDIA/NVIDIA H200#opencl:0: opencl0", "uuid:97eed6f72c1bd52f0f0f63e0cd4c1a11: vulkan0",
              "name:NVIDIA/NVIDIA H200#vulkan:1: vulkan1"});
}

TEST_CASE("vendor and name do not join a device with a UUID") {
  CHECK(cards({gpu(Api::opencl, 0), with(gpu(Api::vulkan, 0), kUuid, std::nullopt)}) ==
        Lines{"name:NVIDIA/NVIDIA H200: opencl0", "uuid:97eed6f72c1bd52f0f0f63e0cd4c1a11: vulkan0"});
}

TEST_CASE("software devices are the host's one CPU, with any invented UUIDs") {
  CHECK(cards({cpu(Api::opencl, 0, "pthread-AMD EPYC"), with(gpu(Api::opencl, 1), kUuid, std::nullopt),
               with(cpu(Api::vulkan, 0, "llvmpipe"), "6d65736132322e332e36000000000000", std::nullopt)}) ==
        Lines{"cpu:EPYC: opencl0 vulkan0", "uuid:97eed6f72c1bd52f0f0f63e0cd4c1a11: opencl1"});
}

DeviceInfo simulated(const std::string& model, const std::string& driver, DeviceType type = DeviceType::gpu) {
  DeviceInfo info = gpu(Api::sim, 0, "Simulated T4");
  info.model = model;
  info.driver = driver;
  info.type = type;
  return info;
}

TEST_CASE("a simulated device is its model's text: on no card and no CPU of this host") {
  CHECK(identity(simulated("t4", "model 1234"), "EPYC") == "sim:Simulated T4/model 1234");
  CHECK(identity(simulated("t4", "model 1234", DeviceType::cpu), "EPYC") == "sim:Simulated T4/model 1234");
  CHECK(cards({gpu(Api::opencl, 0, "Tesla T4"), simulated("t4", "model 1234"), simulated("mine.toml", "model 5678"),
               cpu(Api::vulkan, 0, "llvmpipe")}) == Lines{"name:NVIDIA/Tesla T4: opencl0", "sim:Simulated T4/model 1234: sim0",
                                                          "sim:Simulated T4/model 5678: sim0", "cpu:EPYC: vulkan0"});
}

TEST_CASE("a simulated device's card is found by its model") {
  const DeviceInfo first = simulated("t4", "model 1234");
  const DeviceInfo second = simulated("mine.toml", "model 5678");
  const std::vector<Card> all = group_by_card({first, second}, "EPYC");
  CHECK(card_identity(all, first) == "sim:Simulated T4/model 1234");
  CHECK(card_identity(all, second) == "sim:Simulated T4/model 5678");
}

TEST_CASE("a device's card is found by API and index") {
  const DeviceInfo opencl = with(gpu(Api::opencl, 0), std::nullopt, "0000:3b:00.0");
  const DeviceInfo vulkan = with(gpu(Api::vulkan, 0), kUuid, "0000:3b:00.0");
  const DeviceInfo other = with(gpu(Api::vulkan, 1), kOtherUuid, std::nullopt);
  const std::vector<Card> all = group_by_card({other, opencl, vulkan}, "EPYC");
  CHECK(card_identity(all, opencl) == "uuid:97eed6f72c1bd52f0f0f63e0cd4c1a11");
  CHECK(card_identity(all, other) == "uuid:11eed6f72c1bd52f0f0f63e0cd4c1a97");
  CHECK_THROWS_AS(card_identity(all, gpu(Api::opencl, 1)), std::out_of_range);
}

}  // namespace percycle::identity_test
