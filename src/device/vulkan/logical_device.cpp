#include "device/vulkan/logical_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "device/vulkan/result.hpp"

namespace percycle::vulkan {

namespace {

/// Enables a feature in a structure of VkBool32 members and links the structure into the chain.
template <typename Structure>
void enable(void*& chain, Structure& structure, VkStructureType type, VkBool32 Structure::*feature) {
  structure.sType = type;
  structure.pNext = chain;
  structure.*feature = VK_TRUE;
  chain = &structure;
}

VkDevice create_device(const PhysicalDevice& physical, const std::map<std::uint32_t, std::uint32_t>& queue_counts) {
  const Features& wanted = physical.features;
  std::vector<const char*> extensions;
  const auto extension = [&](const char* name, std::uint32_t core_since = ~0u) {
    if (physical.api_version < core_since) extensions.push_back(name);
  };

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
  VkPhysicalDeviceCooperativeMatrix2FeaturesNV flexible_matrix{};
  VkPhysicalDeviceVulkanMemoryModelFeatures memory_model{};
  VkPhysicalDeviceShaderBfloat16FeaturesKHR bfloat16{};
  VkPhysicalDeviceShaderFloat8FeaturesEXT float8{};
  void* chain = nullptr;
  if (wanted.buffer_device_address) {
    extension(VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME, VK_API_VERSION_1_2);
    enable(chain, address, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
           &VkPhysicalDeviceBufferDeviceAddressFeatures::bufferDeviceAddress);
  }
  if (wanted.subgroup_size_control) {
    extension(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME, VK_API_VERSION_1_3);
    enable(chain, size_control, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES,
           &VkPhysicalDeviceSubgroupSizeControlFeatures::subgroupSizeControl);
  }
  if (wanted.subgroup_clock || wanted.device_clock) {
    extension(VK_KHR_SHADER_CLOCK_EXTENSION_NAME);
    enable(chain, clock, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR,
           wanted.subgroup_clock ? &VkPhysicalDeviceShaderClockFeaturesKHR::shaderSubgroupClock
                                 : &VkPhysicalDeviceShaderClockFeaturesKHR::shaderDeviceClock);
    clock.shaderDeviceClock = wanted.device_clock ? VK_TRUE : VK_FALSE;
  }
  if (wanted.scalar_block_layout) {
    extension(VK_EXT_SCALAR_BLOCK_LAYOUT_EXTENSION_NAME, VK_API_VERSION_1_2);
    enable(chain, scalar, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCALAR_BLOCK_LAYOUT_FEATURES,
           &VkPhysicalDeviceScalarBlockLayoutFeatures::scalarBlockLayout);
  }
  if (wanted.uniform_buffer_standard_layout) {
    extension(VK_KHR_UNIFORM_BUFFER_STANDARD_LAYOUT_EXTENSION_NAME, VK_API_VERSION_1_2);
    enable(chain, uniform, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_UNIFORM_BUFFER_STANDARD_LAYOUT_FEATURES,
           &VkPhysicalDeviceUniformBufferStandardLayoutFeatures::uniformBufferStandardLayout);
  }
  if (wanted.pipeline_executable_info) {
    extension(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
    enable(chain, executable, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
           &VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR::pipelineExecutableInfo);
  }
  if (wanted.sm_builtins) {
    extension(VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME);
    enable(chain, sm, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_FEATURES_NV,
           &VkPhysicalDeviceShaderSMBuiltinsFeaturesNV::shaderSMBuiltins);
  }
  if (wanted.int64_atomics()) {
    extension(VK_KHR_SHADER_ATOMIC_INT64_EXTENSION_NAME, VK_API_VERSION_1_2);
    enable(chain, int64_atomics, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES,
           wanted.buffer_int64_atomics ? &VkPhysicalDeviceShaderAtomicInt64Features::shaderBufferInt64Atomics
                                       : &VkPhysicalDeviceShaderAtomicInt64Features::shaderSharedInt64Atomics);
    int64_atomics.shaderSharedInt64Atomics = wanted.shared_int64_atomics ? VK_TRUE : VK_FALSE;
  }
  if (wanted.float_add()) {
    extension(VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME);
    enable(chain, float_atomics, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT,
           wanted.buffer_float_add ? &VkPhysicalDeviceShaderAtomicFloatFeaturesEXT::shaderBufferFloat32AtomicAdd
                                   : &VkPhysicalDeviceShaderAtomicFloatFeaturesEXT::shaderSharedFloat32AtomicAdd);
    float_atomics.shaderSharedFloat32AtomicAdd = wanted.shared_float_add ? VK_TRUE : VK_FALSE;
  }
  if (wanted.fp16 || wanted.int8) {
    extension(VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME, VK_API_VERSION_1_2);
    enable(chain, float16, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES,
           wanted.fp16 ? &VkPhysicalDeviceShaderFloat16Int8Features::shaderFloat16
                       : &VkPhysicalDeviceShaderFloat16Int8Features::shaderInt8);
    float16.shaderInt8 = wanted.int8 ? VK_TRUE : VK_FALSE;
  }
  if (wanted.dot_product) {
    extension(VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME, VK_API_VERSION_1_3);
    enable(chain, dot_product, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES,
           &VkPhysicalDeviceShaderIntegerDotProductFeatures::shaderIntegerDotProduct);
  }
  if (wanted.cooperative_matrix) {
    extension(VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME);
    enable(chain, matrix, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR,
           &VkPhysicalDeviceCooperativeMatrixFeaturesKHR::cooperativeMatrix);
    extension(VK_KHR_VULKAN_MEMORY_MODEL_EXTENSION_NAME, VK_API_VERSION_1_2);
    enable(chain, memory_model, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES,
           &VkPhysicalDeviceVulkanMemoryModelFeatures::vulkanMemoryModel);
  }
  if (wanted.workgroup_matrix) {
    extension(VK_NV_COOPERATIVE_MATRIX_2_EXTENSION_NAME);
    enable(chain, flexible_matrix, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_FEATURES_NV,
           &VkPhysicalDeviceCooperativeMatrix2FeaturesNV::cooperativeMatrixWorkgroupScope);
    flexible_matrix.cooperativeMatrixFlexibleDimensions = VK_TRUE;
  }
  if (wanted.bfloat16_matrix) {
    extension(VK_KHR_SHADER_BFLOAT16_EXTENSION_NAME);
    enable(chain, bfloat16, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_BFLOAT16_FEATURES_KHR,
           &VkPhysicalDeviceShaderBfloat16FeaturesKHR::shaderBFloat16CooperativeMatrix);
    bfloat16.shaderBFloat16Type = VK_TRUE;
  }
  if (wanted.float8_matrix) {
    extension(VK_EXT_SHADER_FLOAT8_EXTENSION_NAME);
    enable(chain, float8, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT8_FEATURES_EXT,
           &VkPhysicalDeviceShaderFloat8FeaturesEXT::shaderFloat8CooperativeMatrix);
    float8.shaderFloat8 = VK_TRUE;
  }
  const std::string calibrated = fmt::format("VK_{}_calibrated_timestamps", physical.calibrated_suffix);
  if (!physical.calibrated_suffix.empty()) extension(calibrated.c_str());
#ifdef VK_EXT_pipeline_robustness
  // Enabling it makes NVIDIA's driver drop the bounds checks that it otherwise emits for storage
  // buffers even without robustBufferAccess (measured on an H200: 59 cycles per dependent load with
  // them, 41 without).
  VkPhysicalDevicePipelineRobustnessFeaturesEXT robustness{};
  if (wanted.pipeline_robustness) {
    extension(VK_EXT_PIPELINE_ROBUSTNESS_EXTENSION_NAME);
    enable(chain, robustness, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES_EXT,
           &VkPhysicalDevicePipelineRobustnessFeaturesEXT::pipelineRobustness);
  }
#endif

  VkPhysicalDeviceFeatures2 features{};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features.pNext = chain;
  features.features.shaderInt64 = wanted.int64 ? VK_TRUE : VK_FALSE;
  features.features.shaderFloat64 = wanted.fp64 ? VK_TRUE : VK_FALSE;

  constexpr std::array<float, 2> kPriorities{1, 1};
  std::vector<VkDeviceQueueCreateInfo> queues;
  for (const auto& [family, count] : queue_counts) {
    VkDeviceQueueCreateInfo queue{};
    queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queue.queueFamilyIndex = family;
    queue.queueCount = count;
    queue.pQueuePriorities = kPriorities.data();
    queues.push_back(queue);
  }
  VkDeviceCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  create.pNext = &features;
  create.queueCreateInfoCount = static_cast<std::uint32_t>(queues.size());
  create.pQueueCreateInfos = queues.data();
  create.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
  create.ppEnabledExtensionNames = extensions.data();
  VkDevice device = VK_NULL_HANDLE;
  check(vkCreateDevice(physical.handle, &create, nullptr, &device), "vkCreateDevice");
  return device;
}

}  // namespace

LogicalDevice::LogicalDevice(std::shared_ptr<const Instance> instance, PhysicalDevice physical, DeviceInfo info)
    : instance_(std::move(instance)), physical_(std::move(physical)), info_(std::move(info)) {
  const auto family = compute_family(physical_);
  if (!family || physical_.api_version < VK_API_VERSION_1_1) require_runnable("vkCreateDevice");
  family_ = family.value();
  const std::vector<QueuePlace> copying = vulkan::copy_queues(physical_);
  std::map<std::uint32_t, std::uint32_t> counts{{family_, 1}};
  families_ = {family_};
  for (const auto& [queue_family, number] : copying) {
    std::uint32_t& count = counts[queue_family];
    if (count == 0) families_.push_back(queue_family);
    count = std::max(count, number + 1);
  }
  handle_ = create_device(physical_, counts);
  volkLoadDeviceTable(&api_, handle_);
  api_.vkGetDeviceQueue(handle_, family_, 0, &queue_);
  for (const auto& [queue_family, number] : copying) {
    DeviceQueue& queue = copy_queues_.emplace_back(DeviceQueue{queue_family, VK_NULL_HANDLE});
    api_.vkGetDeviceQueue(handle_, queue_family, number, &queue.handle);
  }
  if (physical_.calibrated_suffix.empty()) return;
  const std::string function = "vkGetCalibratedTimestamps" + physical_.calibrated_suffix;
  calibrated_timestamps_ = reinterpret_cast<PFN_vkGetCalibratedTimestampsEXT>(vkGetDeviceProcAddr(handle_, function.c_str()));
}

LogicalDevice::~LogicalDevice() { api_.vkDestroyDevice(handle_, nullptr); }

void LogicalDevice::require_runnable(const char* call) const {
  if (info_.compile_only.empty()) return;
  throw DeviceError(Api::vulkan, DeviceError::Kind::other, call, result_name(VK_ERROR_FEATURE_NOT_PRESENT), info_.compile_only);
}

}  // namespace percycle::vulkan
