#include "limits/agreed_units.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "check_words.hpp"
#include "device/opencl/intel_units.hpp"
#include "session/identity_checks.hpp"
#include "session/machine_checks.hpp"

namespace percycle::agreed_units_test {
namespace {

constexpr const char* kUuid = "00112233445566778899aabbccddeeff";

/// The IP version as the driver packs it.
std::uint32_t ip(std::uint32_t architecture, std::uint32_t release) { return (architecture << 22) | (release << 14) | 4; }

opencl::IntelUnits intel(std::uint32_t version, std::uint32_t slices, std::uint32_t sub_slices, std::uint32_t execution_units) {
  return opencl::intel_units({.name = "",
                              .execution_units = execution_units,
                              .ip_version = version,
                              .slices = slices,
                              .sub_slices_per_slice = sub_slices});
}

DeviceInfo gpu(Api api, std::string vendor, std::string name, std::optional<std::uint32_t> units) {
  DeviceInfo info;
  info.api = api;
  info.vendor = std::move(vendor);
  info.name = std::move(name);
  info.type = DeviceType::gpu;
  info.uuid = kUuid;
  if (units) info.units = Sourced<std::uint32_t>{*units, Provenance::reported};
  return info;
}

std::vector<UnitContradiction> agree(std::vector<DeviceInfo>& devices) {
  return agree_on_units(devices, "a CPU", limits_catalogue());
}

}  // namespace

TEST_CASE("Intel units: execution units by those of one unit, on every driver's split into slices") {
  CHECK(intel(ip(9, 9), 1, 3, 24).count == 3);       // UHD 630
  CHECK(intel(ip(9, 0), 2, 4, 72).count == 9);       // Iris Pro P580
  CHECK(intel(ip(12, 0), 1, 6, 96).count == 6);      // Iris Xe
  CHECK(intel(ip(12, 56), 2, 8, 128).count == 8);    // A380, Windows
  CHECK(intel(ip(12, 55), 8, 8, 512).count == 32);   // A770, Windows
  CHECK(intel(ip(12, 55), 7, 8, 448).count == 28);   // A750, Windows
  CHECK(intel(ip(12, 55), 8, 4, 512).count == 32);   // A770, Linux
  CHECK(intel(ip(20, 1), 5, 4, 160).count == 20);    // B580
  CHECK(intel(ip(20, 1), 5, 4, 144).count == 18);    // B570
  CHECK(intel(ip(20, 4), 2, 4, 64).count == 8);      // Arc 140V
  CHECK(intel(ip(12, 70), 2, 8, 128).count == 8);    // Meteor Lake
  CHECK(intel(ip(12, 74), 2, 8, 128).count == 8);    // Arc 140T
  CHECK(intel(ip(12, 60), 1, 56, 448).count == 56);  // Max 1100
  CHECK(intel(ip(12, 60), 1, 64, 448).count == 56);  // the same, fused
}

TEST_CASE("Intel units: further generations, and parts with disabled execution units") {
  CHECK(intel(ip(8, 0), 1, 3, 23).count == 3);
  CHECK(intel(ip(11, 0), 1, 8, 64).count == 8);
  CHECK(intel(ip(9, 3), 1, 2, 12).count == 2);    // UHD 600: six of each sub-slice
  CHECK(intel(ip(12, 2), 1, 2, 24).count == 2);   // UHD 730
  CHECK(intel(ip(12, 10), 1, 6, 96).count == 6);  // DG1
  CHECK(intel(ip(12, 57), 2, 8, 96).count == 6);
  CHECK(intel(ip(12, 61), 1, 64, 1024).count == 128);
  CHECK(intel(ip(30, 0), 2, 6, 96).count == 12);
}

TEST_CASE("Intel units: a name of Xe2 goes before an IP version that contradicts it") {
  CHECK(opencl::intel_units({.name = "Intel(R) Arc(TM) B570 Graphics",
                             .execution_units = 144,
                             .ip_version = ip(12, 55),
                             .slices = 5,
                             .sub_slices_per_slice = 4})
            .count == 18);
  CHECK(opencl::is_xe2_name("Intel(R) Arc(TM) Pro B60 Graphics"));
  CHECK(opencl::is_xe2_name("Intel(R) Arc(TM) Graphics 140V GPU (16GB)"));
  CHECK_FALSE(opencl::is_xe2_name("Intel(R) Arc(TM) A580 Graphics"));
  CHECK_FALSE(opencl::is_xe2_name("Intel(R) Arc(TM) Pro A60M Graphics"));
  CHECK_FALSE(opencl::is_xe2_name("Intel(R) Arc(TM) 140T GPU (16GB)"));
}

TEST_CASE("Intel units: slices that disagree are named; without an IP version they give the count") {
  CHECK(intel(ip(12, 55), 8, 4, 512).lack.empty());
  CHECK_WORDS("intel-units.slices-disagree", intel(ip(12, 56), 2, 8, 128).lack);
  const auto unknown = intel(ip(13, 0), 2, 8, 128);
  CHECK(unknown.count == 16);
  CHECK_WORDS("intel-units.unknown-ip-version", unknown.lack);
  const auto none =
      opencl::intel_units({.name = "", .execution_units = 128, .ip_version = {}, .slices = {}, .sub_slices_per_slice = {}});
  CHECK_FALSE(none.count);
  CHECK_WORDS("intel-units.only-execution-units", none.lack);
}

TEST_CASE("agreed units: an RDNA device that counts compute units gets half; the card's sources are named") {
  std::vector<DeviceInfo> devices{gpu(Api::opencl, "AMD", "AMD Radeon RX 7900 XTX", 96),
                                  gpu(Api::vulkan, "AMD", "AMD Radeon RX 7900 XTX (RADV NAVI31)", 48)};
  devices.front().compute_capability = "gfx1100";
  const auto found = agree(devices);
  REQUIRE(found.size() == 1);
  CHECK(found.front().card == "AMD Radeon RX 7900 XTX");
  CHECK_WORDS("agreed-units.compute-units", found.front().text);
  CHECK(devices[0].units->value == 48);
  CHECK(devices[1].units->value == 48);
  CHECK(devices[0].lacks == std::vector<std::string>{found.front().text});
  CHECK(devices[1].lacks == devices[0].lacks);
}

TEST_CASE("agreed units: the catalogue alone finds compute units, too") {
  std::vector<DeviceInfo> devices{gpu(Api::opencl, "AMD", "AMD Radeon RX 6900 XT", 80)};
  CHECK(agree(devices).size() == 1);
  CHECK(devices.front().units->value == 40);
}

TEST_CASE("agreed units: other contradictions are said and change no count") {
  std::vector<DeviceInfo> devices{gpu(Api::opencl, "NVIDIA", "NVIDIA H100 80GB HBM3", 66),
                                  gpu(Api::vulkan, "NVIDIA", "NVIDIA H100 80GB HBM3", 132)};
  const auto found = agree(devices);
  REQUIRE(found.size() == 1);
  CHECK_WORDS("agreed-units.own-counts", found.front().text);
  CHECK(devices[0].units->value == 66);
  CHECK(devices[1].units->value == 132);
}

TEST_CASE("agreed units: the catalogue knows whole cards") {
  const auto listed = [](std::string name) {
    return catalogue_units(limits_catalogue(), {.identity = "", .devices = {gpu(Api::opencl, "NVIDIA", std::move(name), 132)}});
  };
  CHECK(listed("NVIDIA H100 80GB HBM3") == 132);
  CHECK_FALSE(listed("NVIDIA H100 80GB HBM3 MIG 1g.10gb"));
  CHECK_FALSE(listed("NVIDIA nothing"));
}

TEST_CASE("agreed units: a device keeps the contradiction of its card") {
  std::vector<DeviceInfo> devices{gpu(Api::opencl, "NVIDIA", "NVIDIA H100 80GB HBM3", 96)};
  CHECK(unit_contradiction(devices.front()).empty());
  const auto found = agree(devices);
  REQUIRE(found.size() == 1);
  CHECK(unit_contradiction(devices.front()) == found.front().text);
  const auto checks = stated_checks(devices.front());
  REQUIRE(checks.size() == 1);
  CHECK(checks.front().name == "unit sources");
  CHECK(driver_checks({devices, {{Api::opencl, "card", found.front().text}}}, {}, {}, "a CPU").empty());
}

TEST_CASE("agreed units: equal counts, parts of a GPU, CPUs and devices without counts say nothing") {
  std::vector<DeviceInfo> equal{gpu(Api::opencl, "NVIDIA", "NVIDIA H100 80GB HBM3", 132),
                                gpu(Api::vulkan, "NVIDIA", "NVIDIA H100 80GB HBM3", 132)};
  CHECK(agree(equal).empty());
  std::vector<DeviceInfo> part{gpu(Api::opencl, "NVIDIA", "NVIDIA H100 80GB HBM3 MIG 1g.10gb", 16)};
  CHECK(agree(part).empty());
  std::vector<DeviceInfo> cpus{gpu(Api::opencl, "AMD", "a CPU", 2), gpu(Api::vulkan, "Mesa", "llvmpipe", 4)};
  for (DeviceInfo& info : cpus) info.type = DeviceType::cpu;
  CHECK(agree(cpus).empty());
  std::vector<DeviceInfo> silent{gpu(Api::opencl, "AMD", "AMD Radeon RX 7900 XTX", std::nullopt)};
  CHECK(agree(silent).empty());
  CHECK(silent.front().lacks.empty());
}

}  // namespace percycle::agreed_units_test
