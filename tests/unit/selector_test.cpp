#include "device/selector.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "core/error.hpp"

namespace percycle::selector_test {

namespace {

constexpr const char* kUuid = "97eed6f72c1bd52f0f0f63e0cd4c1a11";

DeviceInfo device(Api api, std::uint32_t index, std::string name, DeviceType type = DeviceType::gpu) {
  DeviceInfo info;
  info.api = api;
  info.index = index;
  info.name = std::move(name);
  info.type = type;
  return info;
}

/// Two cards, the first visible through both APIs (its OpenCL driver reports no UUID), a CPU
/// through both, and a driver's device without hardware.
Enumeration machine() {
  Enumeration all;
  all.devices = {
      device(Api::opencl, 0, "NVIDIA H200"),
      device(Api::opencl, 1, "pthread-AMD EPYC", DeviceType::cpu),
      device(Api::vulkan, 0, "NVIDIA H200"),
      device(Api::vulkan, 1, "AMD Radeon RX 6800 (RADV NAVI21)"),
      device(Api::vulkan, 2, "AMD TAHITI (RADV NULL)"),
      device(Api::vulkan, 3, "llvmpipe (LLVM 15.0.6, 256 bits)", DeviceType::cpu),
  };
  all.devices[0].pci = "0000:3b:00.0";
  all.devices[2].pci = "0000:3b:00.0";
  all.devices[2].uuid = kUuid;
  all.devices[3].pci = "0000:03:00.0";
  all.devices[4].compile_only = "RADV's null device has no hardware";
  all.devices[5].uuid = "6d65736132322e332e36000000000000";
  return all;
}

using Names = std::vector<std::string>;

Names chosen(const Enumeration& all, const Names& selectors, std::optional<Api> api = std::nullopt) {
  Names names;
  for (const DeviceInfo& info : select(all, selectors, api)) names.push_back(selector(info));
  return names;
}

Names chosen(const Names& selectors, std::optional<Api> api = std::nullopt) { return chosen(machine(), selectors, api); }

/// The message of the choice's UsageError; empty if there is none.
std::string error(const Enumeration& all, const Names& selectors, std::optional<Api> api = std::nullopt) {
  try {
    select(all, selectors, api);
  } catch (const UsageError& usage) {
    return usage.what();
  }
  return {};
}

std::string error(const Names& selectors, std::optional<Api> api = std::nullopt) { return error(machine(), selectors, api); }

}  // namespace

TEST_CASE("without a selector every GPU that can run is chosen") {
  CHECK(chosen({}) == Names{"opencl:0", "vulkan:0", "vulkan:1"});
  CHECK(chosen({}, Api::opencl) == Names{"opencl:0"});
  CHECK(chosen({}, Api::vulkan) == Names{"vulkan:0", "vulkan:1"});
}

TEST_CASE("without a selector CPUs are chosen only where there is no GPU that can run") {
  Enumeration all = machine();
  all.devices = {all.devices[1], all.devices[4], all.devices[5]};
  CHECK(chosen(all, {}) == Names{"opencl:1", "vulkan:3"});
}

TEST_CASE("by API and index") {
  CHECK(chosen({"vulkan:1"}) == Names{"vulkan:1"});
  CHECK(chosen({"opencl:1"}) == Names{"opencl:1"});
}

TEST_CASE("by UUID, with all devices of its card") {
  CHECK(chosen({kUuid}) == Names{"opencl:0", "vulkan:0"});
  CHECK(chosen({"GPU-97EED6F7-2C1B-D52F-0F0F-63E0CD4C1A11"}, Api::opencl) == Names{"opencl:0"});
}

TEST_CASE("a software driver's UUID names its own device only") {
  CHECK(chosen({"6d657361-3232-2e33-2e36-000000000000"}) == Names{"vulkan:3"});
}

TEST_CASE("by PCI address") {
  CHECK(chosen({"3B:00.0"}) == Names{"opencl:0", "vulkan:0"});
  CHECK(chosen({"0000:03:00.0"}) == Names{"vulkan:1"});
}

TEST_CASE("by part of the name in any case") {
  CHECK(chosen({"h200"}) == Names{"opencl:0", "vulkan:0"});
  CHECK(chosen({"H200"}, Api::vulkan) == Names{"vulkan:0"});
}

TEST_CASE("a part of a name passes over devices that cannot run") { CHECK(chosen({"radv"}) == Names{"vulkan:1"}); }

TEST_CASE("several selectors give each device once, in enumeration order") {
  CHECK(chosen({"vulkan:3", "H200", "vulkan:0", "3b:00.0"}) == Names{"opencl:0", "vulkan:0", "vulkan:3"});
}

TEST_CASE("a selector that names nothing is refused with the available devices") {
  CHECK_WORDS("selector.unknown-name", error({"arc"}));
  CHECK_WORDS("selector.unknown-opencl-7", error({"opencl:7"}));
  CHECK_WORDS("selector.unknown-address", error({"H200", "0000:99:00.0"}));
  CHECK_WORDS("selector.unknown-uuid", error({"97eed6f72c1bd52f0f0f63e0cd4c1a12"}));
  CHECK_WORDS("selector.unknown", error({"opencl:7"}, Api::opencl));
}

TEST_CASE("a selector that names nothing gets the failed drivers of its API") {
  Enumeration some;
  some.devices = {device(Api::vulkan, 0, "NVIDIA H200")};
  some.problems = {{Api::opencl, "pocl.icd", "crashed (killed by SIGSEGV)"}, {Api::vulkan, "a.json", "no answer within 30 s"}};
  CHECK_WORDS("selector.failed-opencl-driver", error(some, {"opencl:0"}));
  CHECK_WORDS("selector.failed-vulkan-driver", error(some, {"vulkan:7"}));
  CHECK_WORDS("selector.failed-drivers", error(some, {"arc"}));
  CHECK_WORDS("selector.failed-driver-of-vulkan", error(some, {"arc"}, Api::vulkan));
}

TEST_CASE("a selector that is none is refused") {
  CHECK_WORDS("selector.empty", error({""}));
  CHECK_WORDS("selector.no-number", error({"opencl:"}));
  CHECK_WORDS("selector.negative-number", error({"vulkan:-1"}));
  CHECK_WORDS("selector.number-with-letter", error({"vulkan:1x"}));
  CHECK_WORDS("selector.number-too-large", error({"vulkan:99999999999999999999"}));
}

TEST_CASE("a selector whose matches --api excludes is refused with them") {
  CHECK_WORDS("selector.excluded-vulkan-1", error({"vulkan:1"}, Api::opencl));
  CHECK_WORDS("selector.excluded-pthread", error({"pthread"}, Api::vulkan));
}

TEST_CASE("a device that cannot run is refused with its reason when it is all that is named") {
  CHECK_WORDS("selector.cannot-run-vulkan-2", error({"vulkan:2"}));
  CHECK_WORDS("selector.cannot-run-tahiti", error({"tahiti"}));
  Enumeration all = machine();
  all.devices = {all.devices[4]};
  CHECK_WORDS("selector.none-can-run", error(all, {}));
}

DeviceInfo simulated(const std::string& model) {
  DeviceInfo info = device(Api::sim, 0, "Simulated H200");
  info.model = model;
  return info;
}

/// The machine with the requested simulated devices.
Enumeration machine_and_simulated() {
  Enumeration all = machine();
  all.devices.push_back(simulated("t4"));
  all.devices.push_back(simulated("models/t4.toml"));
  return all;
}

TEST_CASE("a simulated device is chosen by its selector and by nothing else") {
  const Enumeration all = machine_and_simulated();
  CHECK(chosen(all, {"sim:t4"}) == Names{"sim:t4"});
  CHECK(chosen(all, {"sim:models/t4.toml", "sim:t4", "sim:t4"}) == Names{"sim:t4", "sim:models/t4.toml"});
  CHECK(chosen(all, {"sim:t4", "vulkan:1"}) == Names{"vulkan:1", "sim:t4"});
  CHECK(chosen(all, {"H200"}) == Names{"opencl:0", "vulkan:0"});
  CHECK(chosen(all, {}) == Names{"opencl:0", "vulkan:0", "vulkan:1"});
  Enumeration alone;
  alone.devices = {simulated("t4")};
  CHECK(chosen(alone, {"sim:t4"}) == Names{"sim:t4"});
}

TEST_CASE("simulated devices are left out by --api and are no devices of this machine") {
  CHECK_WORDS("selector.excluded-sim", error(machine_and_simulated(), {"sim:t4"}, Api::vulkan));
  CHECK_WORDS("selector.unknown", error(machine_and_simulated(), {"opencl:7", "sim:t4"}, Api::opencl));
  Enumeration alone;
  alone.devices = {simulated("t4")};
  CHECK_WORDS("selector.excluded-sim-by-opencl", error(alone, {"sim:t4"}, Api::opencl));
  const std::string advice = std::string(driver_advice());
  CHECK(error(alone, {"sim:t4", "H200"}) == "no opencl or vulkan device was found; " + advice);
  CHECK(error(alone, {}) == "no opencl or vulkan device was found; " + advice);
}

TEST_CASE("a machine without devices gets advice") {
  Enumeration none;
  none.problems = {{Api::opencl, "loader", "libOpenCL.so.1 not found"}, {Api::vulkan, "loader", "libvulkan.so.1 not found"}};
  CHECK_WORDS("selector.no-device", error(none, {}));
  CHECK_WORDS("selector.no-vulkan-device", error(none, {"H200"}, Api::vulkan));
  none.devices = {device(Api::opencl, 0, "NVIDIA H200")};
  CHECK_WORDS("selector.excluded-opencl", error(none, {}, Api::vulkan));
}

}  // namespace percycle::selector_test
