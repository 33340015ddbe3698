#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "platform/environment.hpp"
#include "session/visibility_masks.hpp"

namespace percycle::visibility_masks_test {
namespace {

DeviceInfo device(Api api, std::uint32_t index, std::string vendor, std::string name, DeviceType type = DeviceType::gpu) {
  DeviceInfo info;
  info.api = api;
  info.index = index;
  info.vendor = std::move(vendor);
  info.name = std::move(name);
  info.type = type;
  return info;
}

std::string text(const std::vector<EnumerationProblem>& problems) {
  std::string all;
  for (const auto& problem : problems) all += problem.where + ": " + problem.message + "\n";
  return all;
}

const VisibilityMask kCuda{"CUDA_VISIBLE_DEVICES", "1", Api::opencl, "NVIDIA"};
const VisibilityMask kMesa{"MESA_VK_DEVICE_SELECT", "1002:73bf!", Api::vulkan, ""};
const VisibilityMask kFiles{"VK_DRIVER_FILES", "/a.json", Api::vulkan, "", true};

}  // namespace

TEST_CASE("visibility masks: those of the environment") {
  const auto count = [](const char* name) {
    std::size_t found = 0;
    for (const auto& mask : visibility_masks()) found += mask.name == name ? 1 : 0;
    return found;
  };
  for (const char* name : {"CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL",
                           "ZE_AFFINITY_MASK", "MESA_VK_DEVICE_SELECT"}) {
    CAPTURE(name);
    set_environment_variable(name, "all");
    CHECK(count(name) == 0);
    set_environment_variable(name, "7");
    CHECK(count(name) == 1);
    set_environment_variable(name, "all");
  }
  set_environment_variable("CUDA_VISIBLE_DEVICES", "");  // hides every card
  CHECK(count("CUDA_VISIBLE_DEVICES") == 1);
  set_environment_variable("CUDA_VISIBLE_DEVICES", "all");
}

TEST_CASE("visibility masks: a card that one API shows and a mask hides from the other") {
  const std::vector<DeviceInfo> devices{device(Api::opencl, 0, "NVIDIA", "B"), device(Api::vulkan, 0, "NVIDIA", "A"),
                                        device(Api::vulkan, 1, "NVIDIA", "B"), device(Api::vulkan, 2, "AMD", "C"),
                                        device(Api::vulkan, 3, "Intel", "CPU", DeviceType::cpu)};
  CHECK(text(masked_cards(devices, {kCuda, kFiles}, "CPU")) ==
        "A: CUDA_VISIBLE_DEVICES=1 may hide it from OpenCL, but Vulkan shows it as vulkan:0: percycle measures it there unless "
        "--device names others\n");
  CHECK(masked_cards(devices, {kMesa, kFiles}, "CPU").empty());
  const std::vector<DeviceInfo> one{device(Api::opencl, 0, "NVIDIA", "B")};
  CHECK(
      text(masked_cards(one, {kCuda, kMesa}, "CPU")).starts_with("B: MESA_VK_DEVICE_SELECT=1002:73bf! may hide it from Vulkan"));
}

TEST_CASE("visibility masks: no GPU is left to measure") {
  const std::vector<DeviceInfo> cpu{device(Api::opencl, 0, "Intel", "Xeon", DeviceType::cpu)};
  CHECK(no_gpu_warning(cpu, false, {}) == "no GPU is visible, so percycle measures Xeon");
  CHECK(no_gpu_warning(cpu, false, {kCuda, kFiles}) ==
        "no GPU is visible, so percycle measures Xeon; CUDA_VISIBLE_DEVICES=1 and VK_DRIVER_FILES=/a.json may hide GPUs: unset "
        "them to measure these");
  CHECK(no_gpu_warning(cpu, true, {kFiles}).empty());
  CHECK(no_gpu_warning(cpu, true, {kCuda, kFiles}) ==
        "no GPU is visible, so percycle measures Xeon; CUDA_VISIBLE_DEVICES=1 may hide GPUs: unset it to measure these");
  CHECK(no_gpu_warning({device(Api::opencl, 0, "NVIDIA", "A")}, false, {kCuda}).empty());
  CHECK(no_gpu_warning({device(Api::sim, 0, "NVIDIA", "A", DeviceType::other)}, false, {kCuda}).empty());
  CHECK(no_gpu_warning({}, false, {kCuda}).empty());
}

}  // namespace percycle::visibility_masks_test
