#include "device/vulkan/physical_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "device/driver_answers.hpp"
#include "device/vulkan/result.hpp"

namespace percycle::vulkan {

namespace {

/// Puts structures at the head of a pNext chain.
class NextChain {
 public:
  template <typename Structure>
  void add(Structure& structure, VkStructureType type) {
    structure.sType = type;
    structure.pNext = head_;
    head_ = &structure;
  }
  void* head() const { return head_; }

 private:
  void* head_ = nullptr;
};

std::set<std::string> query_extensions(VkPhysicalDevice handle) {
  const auto extensions =
      listed("vkEnumerateDeviceExtensionProperties", VkExtensionProperties{}, [handle](std::uint32_t* count, auto* elements) {
        return vkEnumerateDeviceExtensionProperties(handle, nullptr, count, elements);
      });
  std::set<std::string> names;
  for (const VkExtensionProperties& extension : extensions) names.insert(field_text(extension.extensionName));
  return names;
}

void query_properties(PhysicalDevice& device) {
  NextChain chain;
  const auto add_optional = [&chain](bool present, auto& structure, VkStructureType type) {
    if (present) chain.add(structure.emplace(), type);
  };
  chain.add(device.id, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES);
  chain.add(device.subgroup, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES);
  chain.add(device.maintenance3, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES);
  add_optional(device.has(VK_API_VERSION_1_2, VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME), device.driver,
               VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES);
  add_optional(device.has(VK_API_VERSION_1_3, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME), device.size_control,
               VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES);
  add_optional(device.has(VK_EXT_PCI_BUS_INFO_EXTENSION_NAME), device.pci,
               VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT);
  add_optional(device.has(VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME), device.sm_builtins,
               VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV);
  add_optional(device.has(VK_AMD_SHADER_CORE_PROPERTIES_EXTENSION_NAME), device.amd_core,
               VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD);
  add_optional(device.has(VK_AMD_SHADER_CORE_PROPERTIES_2_EXTENSION_NAME), device.amd_core2,
               VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_2_AMD);
  add_optional(device.has(VK_API_VERSION_1_3, VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME), device.dot_product,
               VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES_KHR);
  add_optional(device.has(VK_NV_COOPERATIVE_MATRIX_2_EXTENSION_NAME), device.flexible_limits,
               VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_PROPERTIES_NV);
#ifdef VK_ARM_shader_core_builtins  // headers since 1.3.227
  VkPhysicalDeviceShaderCoreBuiltinsPropertiesARM arm{};
  const bool has_arm = device.has(VK_ARM_SHADER_CORE_BUILTINS_EXTENSION_NAME);
  if (has_arm) chain.add(arm, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_BUILTINS_PROPERTIES_ARM);
#endif

  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  properties.pNext = chain.head();
  vkGetPhysicalDeviceProperties2(device.handle, &properties);

#ifdef VK_ARM_shader_core_builtins
  if (has_arm) device.arm_core_count = arm.shaderCoreCount;
#endif
  const auto cut = [](auto& structure) { structure.pNext = nullptr; };
  const auto cut_optional = [&cut](auto& structure) {
    if (structure) cut(*structure);
  };
  cut(device.id);
  cut(device.subgroup);
  cut(device.maintenance3);
  cut_optional(device.driver);
  cut_optional(device.size_control);
  cut_optional(device.pci);
  cut_optional(device.sm_builtins);
  cut_optional(device.amd_core);
  cut_optional(device.amd_core2);
  cut_optional(device.dot_product);
  cut_optional(device.flexible_limits);
}

/// A driver's answers to one of the calls that list products of matrices; none without the call.
template <typename Properties>
std::vector<Properties> query_matrices(VkPhysicalDevice handle, const char* call, VkStructureType type) {
  using Get = VkResult(VKAPI_PTR*)(VkPhysicalDevice, std::uint32_t*, Properties*);
  const auto get = reinterpret_cast<Get>(vkGetInstanceProcAddr(volkGetLoadedInstance(), call));
  if (get == nullptr) return {};
  Properties blank{};
  blank.sType = type;
  return listed(call, blank, [&](std::uint32_t* count, auto* elements) { return get(handle, count, elements); });
}

std::string query_calibrated_suffix(const PhysicalDevice& device) {
  for (const char* suffix : {"EXT", "KHR"}) {
    if (!device.has(fmt::format("VK_{}_calibrated_timestamps", suffix).c_str())) continue;
    const std::string call = fmt::format("vkGetPhysicalDeviceCalibrateableTimeDomains{}", suffix);
    const auto get = reinterpret_cast<PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT>(
        vkGetInstanceProcAddr(volkGetLoadedInstance(), call.c_str()));
    if (get == nullptr) continue;
    const auto domains = listed(call.c_str(), VkTimeDomainEXT{},
                                [&](std::uint32_t* count, auto* elements) { return get(device.handle, count, elements); });
    const auto has = [&](VkTimeDomainEXT domain) { return std::ranges::find(domains, domain) != domains.end(); };
    if (has(VK_TIME_DOMAIN_DEVICE_EXT) && has(VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT)) return suffix;
  }
  return {};
}

/// Throws DeviceError if a list is longer than its array or a memory type names a missing heap.
void check_memory(const VkPhysicalDeviceMemoryProperties& memory) {
  const auto refuse = [](std::string reason) {
    throw DeviceError(Api::vulkan, DeviceError::Kind::other, "vkGetPhysicalDeviceMemoryProperties", std::move(reason));
  };
  if (memory.memoryHeapCount > VK_MAX_MEMORY_HEAPS) refuse(fmt::format("{} memory heaps", memory.memoryHeapCount));
  if (memory.memoryTypeCount > VK_MAX_MEMORY_TYPES) refuse(fmt::format("{} types of memory", memory.memoryTypeCount));
  for (const VkMemoryType& type : std::span(memory.memoryTypes).first(memory.memoryTypeCount)) {
    if (type.heapIndex >= memory.memoryHeapCount)
      refuse(fmt::format("memory in heap {} of {}", type.heapIndex, memory.memoryHeapCount));
  }
}

}  // namespace

PhysicalDevice query(VkPhysicalDevice handle) {
  PhysicalDevice device;
  device.handle = handle;
  vkGetPhysicalDeviceProperties(handle, &device.properties);
  device.api_version = std::min(device.properties.apiVersion, VK_API_VERSION_1_3 | 0xfffu);
  vkGetPhysicalDeviceMemoryProperties(handle, &device.memory);
  check_memory(device.memory);
  std::uint32_t families = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(handle, &families, nullptr);
  check_count(Api::vulkan, "vkGetPhysicalDeviceQueueFamilyProperties", families);
  device.families.resize(families);
  vkGetPhysicalDeviceQueueFamilyProperties(handle, &families, device.families.data());
  device.families.resize(families);
  device.extensions = query_extensions(handle);
  if (device.api_version >= VK_API_VERSION_1_1) {
    query_properties(device);
    device.features = query_features(device);
    if (device.features.cooperative_matrix) {
      device.matrices = query_matrices<VkCooperativeMatrixPropertiesKHR>(
          handle, "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR", VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR);
    }
    if (device.features.workgroup_matrix) {
      device.flexible_matrices = query_matrices<VkCooperativeMatrixFlexibleDimensionsPropertiesNV>(
          handle, "vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV",
          VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_FLEXIBLE_DIMENSIONS_PROPERTIES_NV);
    }
    device.calibrated_suffix = query_calibrated_suffix(device);
  }
  return device;
}

std::optional<std::uint32_t> compute_family(const PhysicalDevice& device) {
  const auto find = [&device](auto&& wanted) -> std::optional<std::uint32_t> {
    const auto found = std::ranges::find_if(device.families, [&wanted](const VkQueueFamilyProperties& family) {
      return (family.queueFlags & VK_QUEUE_COMPUTE_BIT) != 0 && family.queueCount > 0 && wanted(family);
    });
    if (found == device.families.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - device.families.begin());
  };
  const auto is_timed = [](const VkQueueFamilyProperties& family) { return family.timestampValidBits != 0; };
  // NVIDIA's queues for graphics start work-groups more slowly and share out less local memory.
  const auto apart = find([&](const VkQueueFamilyProperties& family) {
    return is_timed(family) && (family.queueFlags & VK_QUEUE_GRAPHICS_BIT) == 0;
  });
  if (apart) return apart;
  const auto timed = find(is_timed);
  return timed ? timed : find([](const VkQueueFamilyProperties&) { return true; });
}

std::optional<QueuePlace> second_queue(const PhysicalDevice& device) {
  const auto compute = compute_family(device);
  if (!compute || device.families[*compute].queueCount < 2) return std::nullopt;
  return QueuePlace{*compute, 1};
}

std::optional<QueuePlace> queue_of_other_family(const PhysicalDevice& device) {
  const auto compute = compute_family(device);
  for (std::uint32_t i = 0; compute && i < device.families.size(); ++i) {
    const VkQueueFamilyProperties& family = device.families[i];
    const bool computes_only =
        (family.queueFlags & VK_QUEUE_COMPUTE_BIT) != 0 && (family.queueFlags & VK_QUEUE_GRAPHICS_BIT) == 0;
    if (i != *compute && computes_only && family.queueCount > 0 &&
        family.timestampValidBits == device.families[*compute].timestampValidBits)
      return QueuePlace{i, 0};
  }
  return std::nullopt;
}

std::vector<QueuePlace> copy_queues(const PhysicalDevice& device) {
  const auto compute = compute_family(device);
  if (!compute) return {};
  const VkQueueFamilyProperties& computing = device.families[*compute];
  // Families for video copy, too.
  constexpr VkQueueFlags kOnlyCopies = VK_QUEUE_TRANSFER_BIT | VK_QUEUE_SPARSE_BINDING_BIT | VK_QUEUE_PROTECTED_BIT;
  const auto copying = std::ranges::find_if(device.families, [&](const VkQueueFamilyProperties& family) {
    return (family.queueFlags & VK_QUEUE_TRANSFER_BIT) != 0 && (family.queueFlags & ~kOnlyCopies) == 0 && family.queueCount > 0 &&
           family.timestampValidBits == computing.timestampValidBits;
  });
  if (copying != device.families.end()) {
    const auto family = static_cast<std::uint32_t>(copying - device.families.begin());
    return {{family, 0}, copying->queueCount > 1 ? QueuePlace{family, 1} : QueuePlace{*compute, 0}};
  }
  if (computing.queueCount > 1) return {{*compute, 0}, {*compute, 1}};
  return {};
}

}  // namespace percycle::vulkan
