#pragma once

#include <volk.h>

#include <vector>

#include "device/vulkan/cooperative_matrix.hpp"

namespace percycle::vulkan {

struct PhysicalDevice;

/// The optional features that percycle uses, each with its extension.
struct Features {
  bool buffer_device_address = false;
  bool int64 = false;
  bool fp64 = false;
  bool fp16 = false;
  bool int16 = false;
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
  bool buffer_int64_atomics = false;
  bool shared_int64_atomics = false;
  bool buffer_float_add = false;
  bool shared_float_add = false;
  /// Kernels may read references from memory; SwiftShader's compiler crashes on that.
  bool reference_links = true;

  bool int64_atomics() const { return buffer_int64_atomics || shared_int64_atomics; }
  bool float_add() const { return buffer_float_add || shared_float_add; }
};

/// A structure for each row of the table of features.
struct FeatureStructures {
  VkPhysicalDeviceBufferDeviceAddressFeatures address{};
  VkPhysicalDeviceSubgroupSizeControlFeatures size_control{};
  VkPhysicalDeviceShaderClockFeaturesKHR clock{};
  VkPhysicalDeviceScalarBlockLayoutFeatures scalar{};
  VkPhysicalDeviceUniformBufferStandardLayoutFeatures uniform{};
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executable{};
  VkPhysicalDeviceShaderSMBuiltinsFeaturesNV sm{};
  VkPhysicalDeviceShaderAtomicInt64Features int64_atomics{};
  VkPhysicalDeviceShaderAtomicFloatFeaturesEXT float_atomics{};
  VkPhysicalDeviceShaderFloat16Int8Features float16{};
  VkPhysicalDeviceShaderIntegerDotProductFeatures dot_product{};
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrix{};
  VkPhysicalDeviceVulkanMemoryModelFeatures memory_model{};
  VkPhysicalDeviceCooperativeMatrix2FeaturesNV flexible_matrix{};
  VkPhysicalDeviceShaderBfloat16FeaturesKHR bfloat16{};
  VkPhysicalDeviceShaderFloat8FeaturesEXT float8{};
#ifdef VK_EXT_pipeline_robustness  // headers since 1.3.219
  VkPhysicalDevicePipelineRobustnessFeaturesEXT robustness{};
#endif
};

/// Asks the driver for the features of a device whose versions, extensions and properties are
/// known.
Features query_features(const PhysicalDevice& device);

/// The request for exactly the features and extensions that percycle uses, for vkCreateDevice().
class FeatureRequest {
 public:
  explicit FeatureRequest(const PhysicalDevice& device);
  FeatureRequest(const FeatureRequest&) = delete;
  FeatureRequest& operator=(const FeatureRequest&) = delete;

  const VkPhysicalDeviceFeatures2& chain() const { return chain_; }
  const std::vector<const char*>& extensions() const { return extensions_; }

 private:
  FeatureStructures structures_;
  VkPhysicalDeviceFeatures2 chain_{};
  std::vector<const char*> extensions_;
};

}  // namespace percycle::vulkan
