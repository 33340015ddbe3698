#pragma once

#include <volk.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "device/vulkan/cooperative_matrix.hpp"

namespace percycle::vulkan {

/// The optional features that percycle uses, each with its extension.
struct Features {
  bool buffer_device_address = false;
  bool int64 = false;
  bool fp64 = false;
  bool fp16 = false;
  bool dot_product = false;
  bool subgroup_size_control = false;
  bool subgroup_vote = false;
  bool subgroup_ballot = false;
  bool subgroup_shuffle = false;
  bool subgroup_arithmetic = false;
  bool subgroup_clock = false;
  bool device_clock = false;
  bool scalar_block_layout = false;
  bool uniform_buffer_standard_layout = false;
  bool pipeline_robustness = false;
  bool pipeline_executable_info = false;
  bool sm_builtins = false;
  bool cooperative_matrix = false;
  bool int8 = false;              ///< 8-bit integers in kernels
  bool bfloat16_matrix = false;   ///< factors of cooperative matrices
  bool float8_matrix = false;     ///< likewise
  bool workgroup_matrix = false;  ///< a work-group computes products, of sizes by choice
  bool vulkan_memory_model = false;
  bool buffer_int64_atomics = false;
  bool shared_int64_atomics = false;
  bool buffer_float_add = false;
  bool shared_float_add = false;
  /// Kernels may read references from memory; SwiftShader's compiler crashes on that.
  bool reference_links = true;

  bool int64_atomics() const { return buffer_int64_atomics || shared_int64_atomics; }
  bool float_add() const { return buffer_float_add || shared_float_add; }
};

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

/// Two queues that may copy at once, or none: of a family that only copies (it has separate
/// engines), else one of them and the compute queue, else two compute queues. Both have the
/// compute queue's timestamps.
std::vector<QueuePlace> copy_queues(const PhysicalDevice& device);

}  // namespace percycle::vulkan
