#include "device/vulkan/features.hpp"

#include <cstdint>
#include <initializer_list>
#include <utility>

#include "device/vulkan/physical_device.hpp"

namespace percycle::vulkan {

namespace {

/// The extension of a structure, and the version of Vulkan that includes it.
struct FeatureExtension {
  const char* name = nullptr;
  std::uint32_t core_since = UINT32_MAX;
};

/// A member of a structure and the feature that needs it. A feature may need several members.
struct FeatureMember {
  VkBool32& value;
  bool Features::*feature;
};

/// The table of features: calls row(structure, type, FeatureExtension, list of FeatureMember).
template <typename Row>
void feature_table(FeatureStructures& all, Row row) {
  row(all.address, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
      {VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME, VK_API_VERSION_1_2},
      {{all.address.bufferDeviceAddress, &Features::buffer_device_address}});
  row(all.size_control, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES,
      {VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME, VK_API_VERSION_1_3},
      {{all.size_control.subgroupSizeControl, &Features::subgroup_size_control}});
  row(all.clock, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR, {VK_KHR_SHADER_CLOCK_EXTENSION_NAME},
      {{all.clock.shaderSubgroupClock, &Features::subgroup_clock}, {all.clock.shaderDeviceClock, &Features::device_clock}});
  row(all.scalar, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCALAR_BLOCK_LAYOUT_FEATURES,
      {VK_EXT_SCALAR_BLOCK_LAYOUT_EXTENSION_NAME, VK_API_VERSION_1_2},
      {{all.scalar.scalarBlockLayout, &Features::scalar_block_layout}});
  row(all.uniform, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_UNIFORM_BUFFER_STANDARD_LAYOUT_FEATURES,
      {VK_KHR_UNIFORM_BUFFER_STANDARD_LAYOUT_EXTENSION_NAME, VK_API_VERSION_1_2},
      {{all.uniform.uniformBufferStandardLayout, &Features::uniform_buffer_standard_layout}});
  row(all.executable, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
      {VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME},
      {{all.executable.pipelineExecutableInfo, &Features::pipeline_executable_info}});
  row(all.sm, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_FEATURES_NV, {VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME},
      {{all.sm.shaderSMBuiltins, &Features::sm_builtins}});
  row(all.int64_atomics, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES,
      {VK_KHR_SHADER_ATOMIC_INT64_EXTENSION_NAME, VK_API_VERSION_1_2},
      {{all.int64_atomics.shaderBufferInt64Atomics, &Features::buffer_int64_atomics},
       {all.int64_atomics.shaderSharedInt64Atomics, &Features::shared_int64_atomics}});
  row(all.float_atomics, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT,
      {VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME},
      {{all.float_atomics.shaderBufferFloat32AtomicAdd, &Features::buffer_float_add},
       {all.float_atomics.shaderSharedFloat32AtomicAdd, &Features::shared_float_add}});
  row(all.float16, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES,
      {VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME, VK_API_VERSION_1_2},
      {{all.float16.shaderFloat16, &Features::fp16}, {all.float16.shaderInt8, &Features::int8}});
  row(all.dot_product, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES,
      {VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME, VK_API_VERSION_1_3},
      {{all.dot_product.shaderIntegerDotProduct, &Features::dot_product}});
  row(all.matrix, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR, {VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME},
      {{all.matrix.cooperativeMatrix, &Features::cooperative_matrix}});
  // The SPIR-V of cooperative matrices declares the memory model.
  row(all.memory_model, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES,
      {VK_KHR_VULKAN_MEMORY_MODEL_EXTENSION_NAME, VK_API_VERSION_1_2},
      {{all.memory_model.vulkanMemoryModel, &Features::cooperative_matrix}});
  row(all.flexible_matrix, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_FEATURES_NV,
      {VK_NV_COOPERATIVE_MATRIX_2_EXTENSION_NAME},
      {{all.flexible_matrix.cooperativeMatrixWorkgroupScope, &Features::workgroup_matrix},
       {all.flexible_matrix.cooperativeMatrixFlexibleDimensions, &Features::workgroup_matrix}});
  row(all.bfloat16, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_BFLOAT16_FEATURES_KHR, {VK_KHR_SHADER_BFLOAT16_EXTENSION_NAME},
      {{all.bfloat16.shaderBFloat16Type, &Features::bfloat16_matrix},
       {all.bfloat16.shaderBFloat16CooperativeMatrix, &Features::bfloat16_matrix}});
  row(all.float8, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT8_FEATURES_EXT, {VK_EXT_SHADER_FLOAT8_EXTENSION_NAME},
      {{all.float8.shaderFloat8, &Features::float8_matrix},
       {all.float8.shaderFloat8CooperativeMatrix, &Features::float8_matrix}});
#ifdef VK_EXT_pipeline_robustness
  // Enabling it makes NVIDIA's driver drop the bounds checks that it otherwise emits for storage
  // buffers even without robustBufferAccess (measured on an H200: 59 cycles per dependent load with
  // them, 41 without).
  row(all.robustness, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES_EXT,
      {VK_EXT_PIPELINE_ROBUSTNESS_EXTENSION_NAME}, {{all.robustness.pipelineRobustness, &Features::pipeline_robustness}});
#endif
}

template <typename Structure>
void link(VkPhysicalDeviceFeatures2& chain, Structure& structure, VkStructureType type) {
  structure.sType = type;
  structure.pNext = std::exchange(chain.pNext, &structure);
}

/// Sets the features that need members of structures: those whose members are all true.
void take_members(FeatureStructures& structures, Features& features) {
  const auto each_member = [&structures](auto take) {
    feature_table(structures, [&take](auto&, VkStructureType, FeatureExtension, std::initializer_list<FeatureMember> members) {
      for (const FeatureMember& member : members) take(member);
    });
  };
  each_member([&features](const FeatureMember& member) { features.*member.feature = true; });
  each_member([&features](const FeatureMember& member) {
    if (member.value != VK_TRUE) features.*member.feature = false;
  });
}

}  // namespace

Features query_features(const PhysicalDevice& device) {
  FeatureStructures structures;
  VkPhysicalDeviceFeatures2 all{};
  all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  feature_table(structures, [&](auto& structure, VkStructureType type, FeatureExtension extension,
                                std::initializer_list<FeatureMember> /*members*/) {
    if (device.has(extension.core_since, extension.name)) link(all, structure, type);
  });
  vkGetPhysicalDeviceFeatures2(device.handle, &all);

  Features features;
  take_members(structures, features);
  features.int64 = all.features.shaderInt64 == VK_TRUE;
  features.fp64 = all.features.shaderFloat64 == VK_TRUE;
  features.int16 = all.features.shaderInt16 == VK_TRUE;
  for (const auto atomics : {&Features::buffer_int64_atomics, &Features::shared_int64_atomics})
    features.*atomics = features.*atomics && features.int64;
  for (const auto kind : {&Features::workgroup_matrix, &Features::bfloat16_matrix, &Features::float8_matrix})
    features.*kind = features.*kind && features.cooperative_matrix;
  const auto has_subgroup = [&device](VkSubgroupFeatureFlagBits operations) {
    return (device.subgroup.supportedOperations & operations) != 0 &&
           (device.subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0;
  };
  features.subgroup_vote = has_subgroup(VK_SUBGROUP_FEATURE_VOTE_BIT);
  features.subgroup_ballot = has_subgroup(VK_SUBGROUP_FEATURE_BALLOT_BIT);
  features.subgroup_shuffle = has_subgroup(VK_SUBGROUP_FEATURE_SHUFFLE_BIT);
  features.subgroup_arithmetic = has_subgroup(VK_SUBGROUP_FEATURE_ARITHMETIC_BIT);
  features.reference_links = !device.driver || device.driver->driverID != VK_DRIVER_ID_GOOGLE_SWIFTSHADER;
  return features;
}

FeatureRequest::FeatureRequest(const PhysicalDevice& device) {
  const Features& features = device.features;
  chain_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  chain_.features.shaderInt64 = features.int64 ? VK_TRUE : VK_FALSE;
  chain_.features.shaderFloat64 = features.fp64 ? VK_TRUE : VK_FALSE;
  chain_.features.shaderInt16 = features.int16 ? VK_TRUE : VK_FALSE;
  feature_table(structures_, [&](auto& structure, VkStructureType type, FeatureExtension extension,
                                 std::initializer_list<FeatureMember> members) {
    bool wanted = false;
    for (const FeatureMember& member : members) {
      member.value = features.*member.feature ? VK_TRUE : VK_FALSE;
      wanted = wanted || features.*member.feature;
    }
    if (!wanted) return;
    link(chain_, structure, type);
    if (device.api_version < extension.core_since) extensions_.push_back(extension.name);
  });
}

}  // namespace percycle::vulkan
