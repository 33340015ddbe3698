#include "session/device_listing.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "check_words.hpp"
#include "store/record_json.hpp"

namespace percycle::devices_test {

namespace {

DeviceInfo h200_opencl() {
  DeviceInfo info;
  info.api = Api::opencl;
  info.name = "NVIDIA H200";
  info.vendor = "NVIDIA";
  info.type = DeviceType::gpu;
  info.platform = "NVIDIA CUDA";
  info.api_version = "3.0";
  info.driver = "580.159.04";
  info.uuid = "97eed6f72c1bd52f0f0f63e0cd4c1a11";
  info.pci = "0000:3b:00.0";
  info.compute_capability = "9.0";
  info.units = Sourced<std::uint32_t>{132, Provenance::reported};
  info.clock_mhz = Sourced<double>{1980, Provenance::reported};
  info.memory_bytes = 150109880320;
  info.max_allocation_bytes = 37527470080;
  info.cache_bytes = 4325376;
  info.cache_line_bytes = 128;
  info.local_memory_bytes = 49152;
  info.constant_bytes = 65536;
  info.max_texel_elements = 268435456;
  info.max_storage_bytes = 37527470080;
  info.max_group_size = 1024;
  info.max_groups = 2147483647;
  info.max_parameter_bytes = 32764;
  info.subgroup_sizes = {32};
  info.address_bits = 64;
  info.buffer_addresses = true;
  info.int64 = true;
  info.global_atomics = {.int64 = true, .float_add = true};
  info.local_atomics = {.int64 = true, .float_add = false};
  info.timer_period_ns = 1000;
  info.timer_valid_bits = 64;
  info.unit_clock = KernelClock{.name = "PTX %clock64", .device_wide = false, .tick_ns = std::nullopt};
  info.unit_id = "PTX %smid";
  info.device_clock = KernelClock{.name = "PTX %globaltimer", .device_wide = true, .tick_ns = 1};
  info.lacks = {"kernel statistics: OpenCL has no query for the registers, spills and instructions of a compiled kernel",
                "subgroup size: 1"};
  return info;
}

/// A device whose driver reports almost nothing.
DeviceInfo bare_vulkan() {
  DeviceInfo info;
  info.api = Api::vulkan;
  info.index = 1;
  info.name = "Intel(R) Arc\u2122 A770\x1b[31m";
  info.vendor = "Intel";
  info.type = DeviceType::gpu;
  info.platform = "Intel driver";
  info.api_version = "1.3.230";
  info.driver_manifest = "/usr/share/vulkan/icd.d/intel_icd.x86_64.json";
  info.compile_only = "a shim without hardware";
  info.max_loop_iterations = 65535;
  return info;
}

const std::vector<std::string> kModels{"gcn", "t4"};

constexpr const char* kText = R"(NVIDIA H200
  identity        uuid:97eed6f72c1bd52f0f0f63e0cd4c1a11
  vendor          NVIDIA
  architecture    Hopper, unit: SM

  opencl:0        NVIDIA H200
    known by        UUID 97eed6f72c1bd52f0f0f63e0cd4c1a11, PCI 0000:3b:00.0
    platform        NVIDIA CUDA, OpenCL 3.0
    driver          580.159.04
    units           132 x SM, reported
    clock           1980 MHz, reported
    memory          140 GiB, largest allocation 35 GiB
    local memory    48 KiB per work-group
    cache           4.12 MiB, line 128 B (as reported, which is rarely one level's size)
    buffers         storage 35 GiB, constants 64 KiB, texels 268435456
    dispatch        1024 invocations per group, 2147483647 groups, 32764 B of parameters
    subgroups       32, the size cannot be chosen
    kernels         64-bit pointers, addresses of buffers: yes, 64-bit integers: yes
    atomics         64-bit integers: global and local; floating-point add: global only
    timer           1000 ns per tick, 64 valid bits
    kernel clocks   unit: PTX %clock64; device: PTX %globaltimer (1 ns per tick)
    unit number     PTX %smid
    lacks           - kernel statistics: OpenCL has no query for the registers, spills and
                      instructions of a compiled kernel
                    - subgroup size: 1

  vulkan:0        NVIDIA H200
    known by        UUID 97eed6f72c1bd52f0f0f63e0cd4c1a11, PCI 0000:3b:00.0
    platform        NVIDIA, Vulkan 3.0
    driver          580.159.04
    units           132 x SM, reported
    clock           1980 MHz, reported
    memory          140 GiB, largest allocation 35 GiB
    local memory    48 KiB per work-group
    cache           4.12 MiB, line 128 B (as reported, which is rarely one level's size)
    buffers         storage 35 GiB, constants 64 KiB, texels 268435456
    dispatch        1024 invocations per group, 2147483647 groups, 32764 B of parameters
    subgroups       32, the size cannot be chosen
    kernels         64-bit pointers, addresses of buffers: yes, 64-bit integers: yes
    atomics         64-bit integers: global and local; floating-point add: global only
    timer           1000 ns per tick, 64 valid bits
    kernel clocks   unit: PTX %clock64; device: PTX %globaltimer (1 ns per tick)
    unit number     PTX %smid

Intel(R) Arc? A770?[31m
  identity        name:Intel/Intel(R) Arc? A770?[31m
  vendor          Intel
  architecture    unknown

  vulkan:1        Intel(R) Arc? A770?[31m
    cannot run      a shim without hardware
    known by        its name only
    platform        Intel driver, Vulkan 1.3.230
    driver          not reported
    found through   /usr/share/vulkan/icd.d/intel_icd.x86_64.json
    units           not reported
    clock           not reported
    memory          not reported, largest allocation not reported
    local memory    none
    cache           not reported
    buffers         storage none, constants none, texels none
    dispatch        0 invocations per group, 0 groups, 0 B of parameters
    subgroups       not reported
    kernels         0-bit pointers, addresses of buffers: no, 64-bit integers: no
    atomics         64-bit integers: no; floating-point add: no
    timer           none
    kernel clocks   unit: none; device: none
    unit number     none
    loops end after 65535 iterations of one invocation

simulated       run --device sim:NAME simulates gcn, t4
Problems
  vulkan          /etc/vulkan/icd.d/broken.json: vkEnumeratePhysicalDevices:
                  VK_ERROR_INITIALIZATION_FAILED
)";

}  // namespace

TEST_CASE("devices: two cards of one name are told apart by their PCI addresses") {
  DeviceInfo other = h200_opencl();
  other.index = 1;
  other.uuid = "00000000000000000000000000000001";
  other.pci = "0000:4c:00.0";
  other.peers = {{.index = 0, .name = "NVIDIA H200", .pci = "0000:3b:00.0"}, {.index = 2, .name = "Tesla T4"}};
  const std::string text = devices_text({.devices = {h200_opencl(), other}, .problems = {}}, "CPU", {});
  CHECK(text.find("\n    peers           opencl:0 NVIDIA H200, PCI 0000:3b:00.0\n                    opencl:2 Tesla T4\n") !=
        std::string::npos);
  CHECK(text.starts_with("NVIDIA H200 3b:00.0\n"));
  CHECK(text.find("\nNVIDIA H200 4c:00.0\n") != std::string::npos);
  CHECK(devices_text({.devices = {h200_opencl()}, .problems = {}}, "CPU", {}).starts_with("NVIDIA H200\n"));
}

TEST_CASE("devices are printed by card, each with its properties and gaps, then the problems") {
  Enumeration all;
  all.devices = {h200_opencl(), bare_vulkan(), h200_opencl()};
  all.devices[2].api = Api::vulkan;
  all.devices[2].compute_capability.reset();
  all.devices[2].platform = "NVIDIA";
  all.devices[2].lacks.clear();
  all.problems = {{Api::vulkan, "/etc/vulkan/icd.d/broken.json", "vkEnumeratePhysicalDevices: VK_ERROR_INITIALIZATION_FAILED"}};
  CHECK(devices_text(all, "EPYC", kModels) == kText);
}

TEST_CASE("no line is longer than 100 columns or anything but printable ASCII") {
  Enumeration all;
  all.devices = {h200_opencl(), bare_vulkan()};
  std::istringstream text(devices_text(all, "EPYC", kModels));
  for (std::string line; std::getline(text, line);) {
    CHECK(line.size() <= 100);
    CHECK(line.find_first_not_of(
              " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~") ==
          std::string::npos);
  }
}

TEST_CASE("a line is broken where it would pass column 100, and ends without a space") {
  Enumeration none;
  none.problems = {{Api::vulkan, "loader", std::string(70, 'a') + " bcde"},
                   {Api::vulkan, "loader", std::string(70, 'a') + " bcd"},
                   {Api::vulkan, "loader", " "}};
  const std::string text = devices_text(none, "EPYC", kModels);
  CHECK(
      text.ends_with("Problems\n"
                     "  vulkan          loader: " +
                     std::string(70, 'a') +
                     "\n                  bcde\n"
                     "  vulkan          loader: " +
                     std::string(70, 'a') +
                     " bcd\n"
                     "  vulkan          loader:\n"));
}

TEST_CASE("a machine without devices gets a message with advice") {
  Enumeration none;
  none.problems = {{Api::opencl, "loader", "libOpenCL.so.1 not found"}, {Api::vulkan, "loader", "libvulkan.so.1 not found"}};
  CHECK_WORDS("devices.none-found", devices_text(none, "EPYC", kModels));
}

TEST_CASE("an API without devices is named") {
  Enumeration one;
  one.devices = {h200_opencl()};
  CHECK_WORDS("devices.no-vulkan", line_with(devices_text(one, "EPYC", kModels), "No Vulkan"));
  one.devices = {bare_vulkan()};
  CHECK_WORDS("devices.no-opencl", line_with(devices_text(one, "EPYC", kModels), "No OpenCL"));
}

TEST_CASE("JSON has the cards with their devices, and the problems") {
  Enumeration all;
  all.devices = {h200_opencl(), bare_vulkan()};
  all.problems = {{Api::vulkan, "loader", "libvulkan.so.1 not found"}};
  const nlohmann::json expected = {{"cards",
                                    {{{"identity", "uuid:97eed6f72c1bd52f0f0f63e0cd4c1a11"},
                                      {"architecture", {{"vendor", "NVIDIA"}, {"name", "Hopper"}, {"unit_name", "SM"}}},
                                      {"devices",
                                       {{{"selector", "opencl:0"},
                                         {"unit_count", {{"value", 132}, {"provenance", "reported"}}},
                                         {"info", to_json(all.devices[0])}}}}},
                                     {{"identity", "name:Intel/Intel(R) Arc\u2122 A770\x1b[31m"},
                                      {"devices", {{{"selector", "vulkan:1"}, {"info", to_json(all.devices[1])}}}}}}},
                                   {"problems", {to_json(all.problems[0])}},
                                   {"simulated", {"gcn", "t4"}}};
  CHECK(devices_json(all, "EPYC", kModels) == expected);
  CHECK(devices_json({}, "EPYC", kModels) ==
        nlohmann::json{{"cards", nlohmann::json::array()}, {"problems", nlohmann::json::array()}, {"simulated", kModels}});
}

}  // namespace percycle::devices_test
