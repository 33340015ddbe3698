#pragma once

#include <volk.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "device/vulkan/cooperative_matrix.hpp"
#include "device/vulkan/features.hpp"

namespace percycle::vulkan {

/// A driver's unprocessed answers about a physical device. An extension's structure is present if
/// the extension is; pNext pointers are null.
struct PhysicalDevice {
  VkPhysicalDevice handle = VK_NULL_HANDLE;
  std::uint32_t api_version = 0;  ///< the device's, capped at the version that percycle requests
  VkPhysicalDeviceProperties properties{};
  VkPhysicalDeviceMemoryProperties memory{};
  std::vector<VkQueueFamilyProperties> families;
  std::set<std::string> extensions;
  Features features;

  VkPhysicalDeviceIDProperties id{};
  VkPhysicalDeviceSubgroupProperties subgroup{};
  VkPhysicalDeviceMaintenance3Properties maintenance3{};
  std::optional<VkPhysicalDeviceDriverProperties> driver;
  std::optional<VkPhysicalDeviceSubgroupSizeControlProperties> size_control;
  std::optional<VkPhysicalDevicePCIBusInfoPropertiesEXT> pci;
  std::optional<VkPhysicalDeviceShaderSMBuiltinsPropertiesNV> sm_builtins;
  std::optional<VkPhysicalDeviceShaderCorePropertiesAMD> amd_core;
  std::optional<VkPhysicalDeviceShaderCoreProperties2AMD> amd_core2;
  std::optional<VkPhysicalDeviceShaderIntegerDotProductPropertiesKHR> dot_product;
  std::optional<std::uint32_t> arm_core_count;
  std::vector<VkCooperativeMatrixPropertiesKHR> matrices;
  std::vector<VkCooperativeMatrixFlexibleDimensionsPropertiesNV> flexible_matrices;
  std::optional<VkPhysicalDeviceCooperativeMatrix2PropertiesNV> flexible_limits;
  /// "EXT" or "KHR", the form of VK_*_calibrated_timestamps that compares the device's clock with
  /// CLOCK_MONOTONIC; empty if none does.
  std::string calibrated_suffix;

  bool has(const char* extension) const { return extensions.contains(extension); }
  /// Whether a feature exists by version or, on older devices, by extension.
  bool has(std::uint32_t core_since, const char* extension) const { return api_version >= core_since || has(extension); }
};

/// Queries everything above. Creates nothing and needs neither memory nor a surface, which RADV's
/// null device lacks. Makes only the 1.0 queries on a Vulkan 1.0 device. Throws DeviceError.
PhysicalDevice query(VkPhysicalDevice handle);

/// The family of the compute queue, if possible with timestamps and without graphics; empty if none
/// computes.
std::optional<std::uint32_t> compute_family(const PhysicalDevice& device);

/// A queue by its number in a family.
struct QueuePlace {
  std::uint32_t family = 0;
  std::uint32_t number = 0;

  bool operator==(const QueuePlace&) const = default;
};

/// A second queue for kernels: of the compute family, or of another family that computes. It has
/// the compute queue's timestamps. Empty if there is none.
std::optional<QueuePlace> second_queue(const PhysicalDevice& device);
std::optional<QueuePlace> queue_of_other_family(const PhysicalDevice& device);

/// Two queues that may copy at once, or none: of a family that only copies (it has separate
/// engines), else one of them and the compute queue, else two compute queues. Both have the
/// compute queue's timestamps.
std::vector<QueuePlace> copy_queues(const PhysicalDevice& device);

}  // namespace percycle::vulkan
