#include <doctest/doctest.h>

#include <string>

#include "device/card_parts.hpp"
#include "session/identity_checks.hpp"

namespace percycle::card_parts_test {
namespace {

DeviceInfo device(std::string name, std::string platform = "NVIDIA") {
  DeviceInfo info;
  info.api = Api::vulkan;
  info.type = DeviceType::gpu;
  info.name = std::move(name);
  info.platform = std::move(platform);
  return info;
}

std::string part(const char* name) { return part_of_card(device(name)); }
std::string layer(const char* name, const char* platform) { return layer_of(device(name, platform)); }

}  // namespace

TEST_CASE("card parts: MIG slices, vGPUs and partitions by their names") {
  CHECK(part("NVIDIA H100 80GB HBM3 MIG 1g.10gb") == "MIG slice");
  CHECK(part("NVIDIA A100-SXM4-40GB MIG 3g.20gb") == "MIG slice");
  for (const char* name :
       {"NVIDIA A40-48Q", "GRID T4-2B", "NVIDIA A100-1-5C", "GRID A100D-20C", "NVIDIA H100L-94CME", "NVIDIA L40S-24A"}) {
    CAPTURE(name);
    CHECK(part(name) == "vGPU");
  }
  for (const char* name : {"AMD Instinct MI300X CPX", "AMD Instinct MI300X VF", "AMD Radeon Pro V620 MxGPU"}) {
    CAPTURE(name);
    CHECK(part(name) == "partition");
  }
  for (const char* name :
       {"NVIDIA H100 80GB HBM3", "NVIDIA A100-SXM4-40GB", "NVIDIA A100-PCIE-40GB", "GRID K520", "Tesla V100-SXM2-16GB",
        "AMD Instinct MI300X", "AMD Instinct MI300X SPX", "Quadro RTX 6000", "Intel(R) UHD Graphics 630 (CFL GT2)",
        "NVIDIA GeForce GTX 1650 with Max-Q Design", "AMD Radeon RX 6900 XT (RADV NAVI21)", "Tesla P100-PCIE-16GB"}) {
    CAPTURE(name);
    CHECK(part(name).empty());
  }
  DeviceInfo by_nvml = device("NVIDIA H100 80GB HBM3");
  by_nvml.part = "vGPU";
  CHECK(part_of_card(by_nvml) == "vGPU");
}

TEST_CASE("card parts: layers over another driver") {
  CHECK(layer("Microsoft Direct3D12 (NVIDIA GeForce RTX 3090)", "Dozen") == "Dozen (Direct3D 12)");
  CHECK(layer("Microsoft Direct3D12 (AMD Radeon)", "any") == "Dozen (Direct3D 12)");
  CHECK(layer("NVIDIA GeForce RTX 3090", "OpenCLOn12") == "OpenCLOn12 (Direct3D 12)");
  CHECK(layer("Virtio-GPU Venus (NVIDIA GeForce RTX 3090)", "venus") == "Venus (a virtual machine's host)");
  CHECK(layer("Apple M1", "MoltenVK") == "MoltenVK (Metal)");
  CHECK(layer("NVIDIA GeForce RTX 3090", "clvk") == "OpenCL on Vulkan");
  CHECK(layer("zink Vulkan 1.3(AMD Radeon RX 6900 XT (RADV NAVI21))", "rusticl") == "Zink (Vulkan)");
  CHECK(layer("NVIDIA GeForce RTX 3090", "NVIDIA").empty());
  CHECK(layer("AMD Radeon RX 6900 XT (RADV NAVI21)", "radv").empty());
  CHECK(layer("Intel(R) Arc(TM) A770 Graphics", "").empty());
  DeviceInfo cpu = device("llvmpipe (Direct3D12)", "llvmpipe");
  cpu.type = DeviceType::cpu;
  CHECK(layer_of(cpu).empty());
}

TEST_CASE("card parts: checks of a run's device") {
  CHECK(identity_checks(device("NVIDIA H100 80GB HBM3")).empty());
  const auto checks = identity_checks(device("Microsoft Direct3D12 (NVIDIA A40-48Q)", "Dozen"));
  REQUIRE(!checks.empty());
  CHECK(checks.front().name == "layer");
  CHECK(checks.front().verdict == CheckVerdict::doubtful);
  CHECK(checks.front().text.starts_with("Dozen (Direct3D 12): a translation layer"));
  const auto parts = identity_checks(device("NVIDIA A40-48Q"));
  REQUIRE(parts.size() == 1);
  CHECK(parts.front().text == "vGPU: a part of a card: the whole card's limits do not hold");
}

}  // namespace percycle::card_parts_test
