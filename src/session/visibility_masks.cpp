#include "session/visibility_masks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/api_words.hpp"
#include "device/identity.hpp"
#include "device/selector.hpp"
#include "platform/environment.hpp"

namespace percycle {
namespace {

const std::vector<VisibilityMask>& known_masks() {
  static const std::vector<VisibilityMask> known{
      {"CUDA_VISIBLE_DEVICES", "", Api::opencl, "NVIDIA"},
      {"NVIDIA_VISIBLE_DEVICES", "", std::nullopt, "NVIDIA"},
      {"ROCR_VISIBLE_DEVICES", "", Api::opencl, "AMD"},
      {"HIP_VISIBLE_DEVICES", "", Api::opencl, "AMD"},
      {"GPU_DEVICE_ORDINAL", "", Api::opencl, "AMD"},
      {"ZE_AFFINITY_MASK", "", Api::opencl, "Intel"},
      {"MESA_VK_DEVICE_SELECT", "", Api::vulkan, ""},
      {"MESA_VK_DEVICE_SELECT_FORCE_DEFAULT_DEVICE", "", Api::vulkan, ""},
      {"VK_LOADER_DEVICE_SELECT", "", Api::vulkan, ""},
      {"VK_LOADER_DRIVERS_SELECT", "", Api::vulkan, "", true},
      {"VK_LOADER_DRIVERS_DISABLE", "", Api::vulkan, "", true},
      {"VK_DRIVER_FILES", "", Api::vulkan, "", true},
      {"VK_ICD_FILENAMES", "", Api::vulkan, "", true},
      {"OCL_ICD_VENDORS", "", Api::opencl, "", true},
      {"OCL_ICD_FILENAMES", "", Api::opencl, "", true},
  };
  return known;
}

/// Values that hide nothing.
bool hides(const VisibilityMask& mask) { return mask.value != "all"; }

bool is_gpu(const DeviceInfo& device) { return device.type == DeviceType::gpu; }

std::string list_of(const std::vector<VisibilityMask>& masks) {
  std::vector<std::string> texts;
  for (const VisibilityMask& mask : masks) texts.push_back(fmt::format("{}={}", mask.name, mask.value));
  return fmt::format("{}", fmt::join(texts, " and "));
}

std::vector<VisibilityMask> filtered(std::vector<VisibilityMask> masks, const auto& keep) {
  std::erase_if(masks, [&](const VisibilityMask& mask) { return !keep(mask); });
  return masks;
}

}  // namespace

std::vector<VisibilityMask> visibility_masks() {
  std::vector<VisibilityMask> set;
  for (VisibilityMask mask : known_masks()) {
    const auto value = environment_variable(mask.name.c_str());
    if (!value) continue;
    mask.value = *value;
    if (hides(mask)) set.push_back(std::move(mask));
  }
  return set;
}

std::string mask_advice(const std::vector<VisibilityMask>& masks) {
  if (masks.empty()) return {};
  return fmt::format("{} may hide GPUs: unset {} to measure these", list_of(masks), masks.size() == 1 ? "it" : "them");
}

std::vector<EnumerationProblem> masked_cards(const std::vector<DeviceInfo>& devices, const std::vector<VisibilityMask>& masks,
                                             std::string_view host_cpu_name) {
  std::vector<EnumerationProblem> problems;
  for (const Card& card : group_by_card(devices, host_cpu_name)) {
    const DeviceInfo& shown = card.devices.front();
    const auto is_alike = [&](const DeviceInfo& device) { return device.api == shown.api; };
    if (!is_gpu(shown) || !std::ranges::all_of(card.devices, is_alike)) continue;
    const Api other = shown.api == Api::opencl ? Api::vulkan : Api::opencl;
    const auto concerns = [&](const VisibilityMask& mask) {
      return !mask.is_of_drivers && mask.api == other && (mask.vendor.empty() || mask.vendor == gpu_vendor(shown));
    };
    const auto hiding = filtered(masks, concerns);
    if (hiding.empty()) continue;
    problems.push_back({other, shown.name,
                        fmt::format("{} may hide it from {}, but {} shows it as {}: percycle measures it there unless --device "
                                    "names others",
                                    list_of(hiding), api_words(other), api_words(shown.api), selector(shown))});
  }
  return problems;
}

std::string no_gpu_warning(const std::vector<DeviceInfo>& chosen, bool named, const std::vector<VisibilityMask>& masks) {
  const auto is_other = [](const DeviceInfo& device) { return device.api != Api::sim && !is_gpu(device); };
  if (chosen.empty() || !std::ranges::all_of(chosen, is_other)) return {};
  const auto of_devices = filtered(masks, [](const VisibilityMask& mask) { return !mask.is_of_drivers; });
  if (named && of_devices.empty()) return {};
  const std::string advice = mask_advice(named ? of_devices : masks);
  return fmt::format("no GPU is visible, so percycle measures {}{}", chosen.front().name, advice.empty() ? "" : "; " + advice);
}

}  // namespace percycle
