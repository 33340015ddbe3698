#include "device/selector.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

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
  constexpr const char* kThere =
      "there are opencl:0 NVIDIA H200, opencl:1 pthread-AMD EPYC, vulkan:0 NVIDIA H200, vulkan:1 AMD Radeon RX 6800 (RADV "
      "NAVI21), "
      "vulkan:2 AMD TAHITI (RADV NULL), vulkan:3 llvmpipe (LLVM 15.0.6, 256 bits)";
  CHECK(error({"arc"}) == std::string("there is no device 'arc'; ") + kThere);
  CHECK(error({"opencl:7"}) == std::string("there is no device 'opencl:7'; ") + kThere);
  CHECK(error({"H200", "0000:99:00.0"}) == std::string("there is no device '0000:99:00.0'; ") + kThere);
  CHECK(error({"97eed6f72c1bd52f0f0f63e0cd4c1a12"}) ==
        std::string("there is no device '97eed6f72c1bd52f0f0f63e0cd4c1a12'; ") + kThere);
  CHECK(error({"opencl:7"}, Api::opencl) ==
        "there is no device 'opencl:7'; there are opencl:0 NVIDIA H200, opencl:1 pthread-AMD EPYC");
}

TEST_CASE("a selector that names nothing gets the failed drivers of its API") {
  Enumeration some;
  some.devices = {device(Api::vulkan, 0, "NVIDIA H200")};
  some.problems = {{Api::opencl, "pocl.icd", "crashed (killed by SIGSEGV)"}, {Api::vulkan, "a.json", "no answer within 30 s"}};
  const std::string opencl = "; opencl pocl.icd: crashed (killed by SIGSEGV)";
  const std::string vulkan = "; vulkan a.json: no answer within 30 s";
  CHECK(error(some, {"opencl:0"}) == "there is no device 'opencl:0'; there are vulkan:0 NVIDIA H200" + opencl);
  CHECK(error(some, {"vulkan:7"}) == "there is no device 'vulkan:7'; there are vulkan:0 NVIDIA H200" + vulkan);
  CHECK(error(some, {"arc"}) == "there is no device 'arc'; there are vulkan:0 NVIDIA H200" + opencl + vulkan);
  CHECK(error(some, {"arc"}, Api::vulkan) == "there is no device 'arc'; there are vulkan:0 NVIDIA H200" + vulkan);
}

TEST_CASE("a selector that is none is refused") {
  CHECK(error({""}) == "device '': a selector must not be empty");
  CHECK(error({"opencl:"}) == "device 'opencl:': a number is expected after the colon");
  CHECK(error({"vulkan:-1"}) == "device 'vulkan:-1': a number is expected after the colon");
  CHECK(error({"vulkan:1x"}) == "device 'vulkan:1x': a number is expected after the colon");
  CHECK(error({"vulkan:99999999999999999999"}) == "device 'vulkan:99999999999999999999': a number is expected after the colon");
}

TEST_CASE("a selector whose matches --api excludes is refused with them") {
  CHECK(error({"vulkan:1"}, Api::opencl) ==
        "device 'vulkan:1': --api opencl excludes all its matches (vulkan:1 AMD Radeon RX 6800 (RADV NAVI21))");
  CHECK(error({"pthread"}, Api::vulkan) == "device 'pthread': --api vulkan excludes all its matches (opencl:1 pthread-AMD EPYC)");
}

TEST_CASE("a device that cannot run is refused with its reason when it is all that is named") {
  CHECK(error({"vulkan:2"}) ==
        "device 'vulkan:2' cannot run kernels (vulkan:2 AMD TAHITI (RADV NULL): RADV's null device has no hardware)");
  CHECK(error({"tahiti"}) ==
        "device 'tahiti' cannot run kernels (vulkan:2 AMD TAHITI (RADV NULL): RADV's null device has no hardware)");
  Enumeration all = machine();
  all.devices = {all.devices[4]};
  CHECK(error(all, {}) == "no device can run kernels (vulkan:2 AMD TAHITI (RADV NULL): RADV's null device has no hardware)");
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
  CHECK(error(machine_and_simulated(), {"sim:t4"}, Api::vulkan) ==
        "device 'sim:t4': --api vulkan excludes all its matches (sim:t4 Simulated H200)");
  CHECK(error(machine_and_simulated(), {"opencl:7", "sim:t4"}, Api::opencl) ==
        "there is no device 'opencl:7'; there are opencl:0 NVIDIA H200, opencl:1 pthread-AMD EPYC");
  Enumeration alone;
  alone.devices = {simulated("t4")};
  CHECK(error(alone, {"sim:t4"}, Api::opencl) ==
        "device 'sim:t4': --api opencl excludes all its matches (sim:t4 Simulated H200)");
  const std::string advice = std::string(driver_advice());
  CHECK(error(alone, {"sim:t4", "H200"}) == "no opencl or vulkan device was found; " + advice);
  CHECK(error(alone, {}) == "no opencl or vulkan device was found; " + advice);
}

TEST_CASE("a machine without devices gets advice") {
  constexpr const char* kAdvice =
      "install the GPU vendor's driver with its Vulkan or OpenCL runtime (to try without a GPU: pocl for OpenCL, Mesa's lavapipe "
      "for Vulkan)";
  Enumeration none;
  none.problems = {{Api::opencl, "loader", "libOpenCL.so.1 not found"}, {Api::vulkan, "loader", "libvulkan.so.1 not found"}};
  CHECK(error(none, {}) == std::string("no opencl or vulkan device was found; ") + kAdvice +
                               "; opencl loader: libOpenCL.so.1 not found; vulkan loader: libvulkan.so.1 not found");
  CHECK(error(none, {"H200"}, Api::vulkan) ==
        std::string("no vulkan device was found; ") + kAdvice + "; vulkan loader: libvulkan.so.1 not found");
  none.devices = {device(Api::opencl, 0, "NVIDIA H200")};
  CHECK(error(none, {}, Api::vulkan) == std::string("no vulkan device was found (--api vulkan excludes opencl:0 NVIDIA H200); ") +
                                            kAdvice + "; vulkan loader: libvulkan.so.1 not found");
}

}  // namespace percycle::selector_test
