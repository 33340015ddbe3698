#include "device/vulkan/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "device/driver_answers.hpp"
#include "device/subgroup_sizes.hpp"
#include "device/vulkan/driver_version.hpp"
#include "device/vulkan/timestamps.hpp"
#include "platform/library.hpp"

namespace percycle::vulkan {

namespace {

constexpr std::uint32_t kNvidia = 0x10de;

std::string version_text(std::uint32_t version) {
  return fmt::format("{}.{}.{}", (version >> 22) & 0x7f, (version >> 12) & 0x3ff, version & 0xfff);
}

std::string vendor_name(std::uint32_t vendor_id) {
  switch (vendor_id) {
    case kNvidia:
      return "NVIDIA";
    case 0x1002:
      return "AMD";
    case 0x8086:
      return "Intel";
    case 0x13b5:
      return "ARM";
    case 0x5143:
      return "Qualcomm";
    case 0x1010:
      return "Imagination";
    case 0x106b:
      return "Apple";
    case VK_VENDOR_ID_MESA:
      return "Mesa";
    case VK_VENDOR_ID_POCL:
      return "PoCL";
    default:
      return fmt::format("vendor 0x{:04x}", vendor_id);
  }
}

DeviceType device_type(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return DeviceType::gpu;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return DeviceType::cpu;
    default:
      return DeviceType::other;
  }
}

bool driven_by(const PhysicalDevice& device, VkDriverId driver) { return device.driver && device.driver->driverID == driver; }

VersionPacking version_packing(const PhysicalDevice& device) {
  if (!device.driver) return device.properties.vendorID == kNvidia ? VersionPacking::nvidia : VersionPacking::vulkan;
  if (driven_by(device, VK_DRIVER_ID_NVIDIA_PROPRIETARY)) return VersionPacking::nvidia;
  if (driven_by(device, VK_DRIVER_ID_INTEL_PROPRIETARY_WINDOWS)) return VersionPacking::intel_windows;
  return VersionPacking::vulkan;
}

/// The driver's name; by its number if that is a layer's.
std::string platform_of(const PhysicalDevice& device) {
  if (!device.driver) return "Vulkan";
  if (driven_by(device, VK_DRIVER_ID_MESA_DOZEN)) return "Dozen";
  if (driven_by(device, VK_DRIVER_ID_MESA_VENUS)) return "venus";
  if (driven_by(device, VK_DRIVER_ID_MOLTENVK)) return "MoltenVK";
  return field_text(device.driver->driverName);
}

void describe_identity(const PhysicalDevice& device, DeviceInfo& info) {
  const VkPhysicalDeviceProperties& properties = device.properties;
  info.name = field_text(properties.deviceName);
  info.shares_host_memory =
      properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU || properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  info.vendor = vendor_name(properties.vendorID);
  info.vendor_id = properties.vendorID;
  info.type = device_type(properties.deviceType);
  info.platform = platform_of(device);
  info.api_version = version_text(properties.apiVersion);
  info.driver =
      driver_text(device.driver ? field_text(device.driver->driverInfo) : "", version_packing(device), properties.driverVersion);

  const std::span<const std::uint8_t> uuid(device.id.deviceUUID);
  if (info.type == DeviceType::cpu) {
    info.lacks.emplace_back("UUID: a CPU driver's UUID names the driver, not the processor");
  } else if (std::ranges::all_of(uuid, [](std::uint8_t byte) { return byte == 0; })) {
    info.lacks.emplace_back("UUID: the driver reports none");
  } else {
    info.uuid = fmt::format("{:02x}", fmt::join(uuid, ""));
  }
  if (device.pci) {
    info.pci = fmt::format("{:04x}:{:02x}:{:02x}.{:x}", device.pci->pciDomain, device.pci->pciBus, device.pci->pciDevice,
                           device.pci->pciFunction);
  } else {
    info.lacks.emplace_back("PCI address: the driver has no VK_EXT_pci_bus_info");
  }
  info.lacks.emplace_back("core clock, cache size, cache line: Vulkan has no query for them");
}

/// AMD's driver counts compute units. On RDNA the owner of local memory is a work-group processor
/// of two; only RDNA has subgroups of 32.
void describe_amd_units(const PhysicalDevice& device, DeviceInfo& info) {
  const VkPhysicalDeviceShaderCorePropertiesAMD& core = *device.amd_core;
  const std::uint32_t compute_units =
      device.amd_core2 ? device.amd_core2->activeComputeUnitCount
                       : core.shaderEngineCount * core.shaderArraysPerEngineCount * core.computeUnitsPerShaderArray;
  if (compute_units == 0) {
    info.lacks.emplace_back("unit count: VK_AMD_shader_core_properties reports 0");
    return;
  }
  const bool rdna = device.size_control && device.size_control->minSubgroupSize == 32;
  if (rdna) {
    info.lacks.emplace_back(
        fmt::format("unit count: the driver counts {} compute units; an RDNA unit (WGP) has two of them", compute_units));
  }
  info.units = Sourced<std::uint32_t>{rdna ? compute_units / 2 : compute_units, Provenance::reported};
}

void describe_units(const PhysicalDevice& device, DeviceInfo& info) {
  if (device.amd_core) {
    describe_amd_units(device, info);
    return;
  }
  const std::uint32_t count = device.sm_builtins ? device.sm_builtins->shaderSMCount : device.arm_core_count.value_or(0);
  if (count != 0) {
    info.units = Sourced<std::uint32_t>{count, Provenance::reported};
  } else {
    info.lacks.emplace_back("unit count: no vendor extension reports it");
  }
}

void describe_memory(const PhysicalDevice& device, DeviceInfo& info) {
  std::uint64_t bytes = 0;
  for (const VkMemoryHeap& heap : std::span(device.memory.memoryHeaps).first(device.memory.memoryHeapCount)) {
    if ((heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0) bytes += heap.size;
  }
  if (bytes != 0) {
    info.memory_bytes = bytes;
  } else {
    info.lacks.emplace_back("memory size: the driver reports no device-local heap");
  }
  if (device.maintenance3.maxMemoryAllocationSize != 0) {
    info.max_allocation_bytes = device.maintenance3.maxMemoryAllocationSize;
  } else {
    info.lacks.emplace_back("largest allocation: the driver reports 0");
  }
  if (driven_by(device, VK_DRIVER_ID_NVIDIA_PROPRIETARY)) {
    info.lacks.emplace_back("largest allocation: NVIDIA's driver promises less than it gives; larger buffers work");
  }
}

/// The invocations of the largest work-group of one dimension; 0 if a driver allows none in one
/// dimension.
std::uint32_t largest_group(const VkPhysicalDeviceLimits& limits) {
  const auto& sizes = limits.maxComputeWorkGroupSize;
  return std::ranges::min(sizes) == 0 ? 0 : std::min(sizes[0], limits.maxComputeWorkGroupInvocations);
}

void describe_limits(const PhysicalDevice& device, DeviceInfo& info) {
  const VkPhysicalDeviceLimits& limits = device.properties.limits;
  info.local_memory_bytes = limits.maxComputeSharedMemorySize;
  info.constant_bytes = limits.maxUniformBufferRange;
  const std::uint32_t buffers = std::min(limits.maxPerStageDescriptorUniformBuffers, limits.maxDescriptorSetUniformBuffers);
  if (buffers > 1) info.constant_buffers = buffers;
  info.max_texel_elements = limits.maxTexelBufferElements;
  if (limits.maxImageDimension2D > 0) info.max_image_side = limits.maxImageDimension2D;
  info.max_storage_bytes = limits.maxStorageBufferRange;
  info.max_group_size = largest_group(limits);
  info.max_groups = limits.maxComputeWorkGroupCount[0];
  info.max_parameter_bytes = limits.maxPushConstantsSize;
}

void describe_subgroups(const PhysicalDevice& device, DeviceInfo& info) {
  info.subgroup_size_control = device.features.subgroup_size_control && device.size_control &&
                               (device.size_control->requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0 &&
                               device.size_control->minSubgroupSize != 0;
  if (info.subgroup_size_control) {
    info.max_subgroups = device.size_control->maxComputeWorkgroupSubgroups;
    std::vector<std::uint64_t> stated;
    for (std::uint64_t size = device.size_control->minSubgroupSize; size <= device.size_control->maxSubgroupSize; size *= 2)
      stated.push_back(size);
    info.subgroup_sizes = possible_subgroup_sizes(stated, info.lacks);
    info.subgroup_size_control = !info.subgroup_sizes.empty();
  } else {
    info.lacks.emplace_back("subgroup size: a kernel cannot choose it (no subgroup size control for compute)");
    if (device.subgroup.subgroupSize != 0)
      info.subgroup_sizes = possible_subgroup_sizes({device.subgroup.subgroupSize}, info.lacks);
  }
}

void describe_features(const PhysicalDevice& device, DeviceInfo& info) {
  info.buffer_addresses = device.features.buffer_device_address;
  info.address_bits = info.buffer_addresses ? 64 : 0;
  info.int64 = device.features.int64;
  info.fp64 = device.features.fp64;
  info.fp16 = device.features.fp16;
  info.int16 = device.features.int16;
  info.int8 = device.features.int8;
  info.dot_product = device.features.dot_product;
  info.subgroup_operations = {.vote = device.features.subgroup_vote,
                              .ballot = device.features.subgroup_ballot,
                              .broadcast = device.features.subgroup_ballot,
                              .shuffle = device.features.subgroup_shuffle,
                              .reduction = device.features.subgroup_arithmetic};
  if (!info.buffer_addresses) info.lacks.emplace_back("buffer addresses: the driver has no bufferDeviceAddress");
  if (!info.int64) info.lacks.emplace_back("64-bit integers in kernels: the driver has no shaderInt64");
  info.global_atomics = {device.features.buffer_int64_atomics, device.features.buffer_float_add};
  info.local_atomics = {device.features.shared_int64_atomics, device.features.shared_float_add};
  if (!device.features.pipeline_executable_info)
    info.lacks.emplace_back("kernel statistics: the driver has no VK_KHR_pipeline_executable_properties");
}

/// Values of VkComponentTypeKHR (vk.xml); others get a number.
std::string component_name(VkComponentTypeKHR type) {
  static constexpr std::array kNames{"fp16",   "fp32",  "fp64",   "sint8",  "sint16", "sint32",
                                     "sint64", "uint8", "uint16", "uint32", "uint64"};
  const auto index = static_cast<std::size_t>(type);
  if (index == kComponentBfloat16) return "bf16";
  if (index == kComponentFloat8E4m3) return "fp8_e4m3";
  if (index == kComponentFloat8E5m2) return "fp8_e5m2";
  return index < kNames.size() ? kNames[index] : fmt::format("type_{}", index);
}

/// The largest product, near a square, whose sums leave a lane most of its registers, with at most
/// that many rows, columns and steps of depth. Empty if the granularity itself is larger.
std::optional<MatrixShape> workgroup_shape(const VkCooperativeMatrixFlexibleDimensionsPropertiesNV& granularity,
                                           std::uint32_t most_of_side) {
  constexpr std::uint64_t kSumsOfLane = 64;
  constexpr std::uint32_t kLeastDepth = 32;
  const std::uint64_t most = kSumsOfLane * granularity.workgroupInvocations;
  MatrixShape shape{granularity.MGranularity,
                    granularity.NGranularity,
                    granularity.KGranularity,
                    component_name(granularity.AType),
                    component_name(granularity.ResultType),
                    granularity.workgroupInvocations};
  if (shape.rows == 0 || shape.columns == 0 || shape.depth == 0 || std::uint64_t{shape.rows} * shape.columns > most) return {};
  if (std::max({shape.rows, shape.columns, shape.depth}) > most_of_side) return {};
  while (std::uint64_t{2} * shape.rows * shape.columns <= most) {
    std::uint32_t& side = shape.rows <= shape.columns ? shape.rows : shape.columns;
    if (side > most_of_side / 2) break;
    side *= 2;
  }
  while (shape.depth < kLeastDepth && shape.depth <= most_of_side / 2) shape.depth *= 2;
  return shape;
}

/// Mesa's driver for Intel emulates matrices on GPUs without matrix engines. Gen9 and Gen11 lack
/// the dot product of bytes, too: the compiler takes minutes and more than 8 GiB for one kernel.
bool emulates_bytes(const PhysicalDevice& device) {
  return driven_by(device, VK_DRIVER_ID_INTEL_OPEN_SOURCE_MESA) && device.dot_product &&
         device.dot_product->integerDotProduct4x8BitPackedSignedAccelerated == VK_FALSE;
}

/// Whether kernels may hold factors of this type.
bool has_factors(const Features& features, const std::string& type) {
  if (type == "fp16") return features.fp16;
  if (type == "bf16") return features.bfloat16_matrix;
  if (type.starts_with("fp8")) return features.float8_matrix;
  return features.int8 || (type != "sint8" && type != "uint8");
}

/// Whether kernels can ask for this product; both structures have these members.
template <typename Properties>
bool has_kernel(const Features& features, const Properties& product) {
  return has_factors(features, component_name(product.AType)) && product.AType == product.BType &&
         product.CType == product.ResultType && product.saturatingAccumulation == VK_FALSE;
}

void add_shape(DeviceInfo& info, const MatrixShape& shape) {
  if (std::ranges::find(info.matrix_shapes, shape) == info.matrix_shapes.end()) info.matrix_shapes.push_back(shape);
}

void describe_matrices(const PhysicalDevice& device, DeviceInfo& info) {
  bool without_bytes = false;
  for (const VkCooperativeMatrixPropertiesKHR& each : device.matrices) {
    if (!has_kernel(device.features, each) || each.scope != VK_SCOPE_SUBGROUP_KHR) continue;
    if (component_name(each.AType).ends_with("int8") && emulates_bytes(device)) {
      without_bytes = true;
      continue;
    }
    add_shape(info, {each.MSize, each.NSize, each.KSize, component_name(each.AType), component_name(each.ResultType)});
  }
  if (without_bytes)
    info.lacks.emplace_back(
        "matrices of 8-bit integers: the GPU has no instruction for them, and the driver's emulation is left out");
  const auto& limits = device.flexible_limits;
  const std::uint32_t most_of_group = limits ? limits->cooperativeMatrixWorkgroupScopeMaxWorkgroupSize : UINT32_MAX;
  const std::uint32_t most_of_side = limits ? limits->cooperativeMatrixFlexibleDimensionsMaxDimension : UINT32_MAX;
  for (const VkCooperativeMatrixFlexibleDimensionsPropertiesNV& each : device.flexible_matrices) {
    if (!has_kernel(device.features, each) || each.scope != VK_SCOPE_WORKGROUP_KHR) continue;
    if (each.workgroupInvocations > most_of_group) continue;
    if (const auto shape = workgroup_shape(each, most_of_side)) add_shape(info, *shape);
  }
}

void describe_timer(const PhysicalDevice& device, DeviceInfo& info) {
  const auto family = compute_family(device);
  const float reported = device.properties.limits.timestampPeriod;
  const auto period = plausible_period(reported);
  if (!period) {
    info.lacks.push_back(fmt::format("device timer: timestampPeriod of {} ns is impossible", reported));
  } else if (!family || device.families[*family].timestampValidBits == 0) {
    info.lacks.emplace_back("device timer: the device has no compute queue with timestamps");
  } else {
    info.timer_period_ns = period;
    info.timer_valid_bits = device.families[*family].timestampValidBits;
  }
}

std::string queue_text(std::uint32_t family, VkQueueFlags flags) {
  constexpr std::array<std::pair<VkQueueFlagBits, const char*>, 4> kAbilities{{{VK_QUEUE_GRAPHICS_BIT, "graphics"},
                                                                               {VK_QUEUE_COMPUTE_BIT, "compute"},
                                                                               {VK_QUEUE_TRANSFER_BIT, "transfer"},
                                                                               {VK_QUEUE_SPARSE_BINDING_BIT, "sparse binding"}}};
  std::vector<std::string> abilities;
  for (const auto& [flag, name] : kAbilities) {
    if ((flags & flag) != 0) abilities.emplace_back(name);
  }
  return fmt::format("family {}: {}", family, fmt::join(abilities, ", "));
}

/// Only if the driver's source or documentation defines the unit: VK_KHR_shader_clock leaves it
/// open.
std::optional<double> device_clock_tick_ns(const PhysicalDevice& device) {
  // NVIDIA: %globaltimer, nanoseconds (PTX ISA); lavapipe: os_time_get_nano().
  if (driven_by(device, VK_DRIVER_ID_NVIDIA_PROPRIETARY) || driven_by(device, VK_DRIVER_ID_MESA_LLVMPIPE)) return 1.0;
  return std::nullopt;
}

void describe_clocks(const PhysicalDevice& device, DeviceInfo& info) {
  const bool lavapipe = driven_by(device, VK_DRIVER_ID_MESA_LLVMPIPE);
  if (device.features.subgroup_clock) {
    info.unit_clock = KernelClock{"VK_KHR_shader_clock subgroup", false, lavapipe ? std::optional(1.0) : std::nullopt};
  } else {
    info.lacks.emplace_back("unit clock: the driver has no shaderSubgroupClock");
  }
  if (device.features.device_clock) {
    info.device_clock = KernelClock{"VK_KHR_shader_clock device", true, device_clock_tick_ns(device)};
    if (!info.device_clock->tick_ns) info.lacks.emplace_back("device clock: its unit is not documented for this driver");
  } else {
    info.lacks.emplace_back("device clock: the driver has no shaderDeviceClock");
  }
  if (device.features.sm_builtins) {
    info.unit_id = "VK_NV_shader_sm_builtins";
  } else {
    info.lacks.emplace_back("unit number: the driver has no shaderSMBuiltins");
  }
  if (lavapipe && (info.unit_clock || info.device_clock)) {
    info.lacks.emplace_back(
        "kernel clocks: lavapipe counts nanoseconds, not cycles; some versions leave the high word 0 (wraps at 4.3 s)");
  }
}

/// lavapipe before Mesa 25 counts loop iterations in 16 bits and leaves every loop after the last
/// one.
void describe_loop_limit(const PhysicalDevice& device, DeviceInfo& info) {
  if (!driven_by(device, VK_DRIVER_ID_MESA_LLVMPIPE) || mesa_major(field_text(device.driver->driverInfo)).value_or(0) >= 25)
    return;
  // Its limit is 65535, and the end of each loop also uses some.
  info.max_loop_iterations = 65000;
  info.lacks.emplace_back(
      "loops: lavapipe before Mesa 25 silently ends an invocation's loops after 65535 iterations; percycle uses 65000");
}

/// Whether one of Mesa's stand-ins for a kernel driver (libintel_noop_drm_shim.so,
/// libamdgpu_noop_drm_shim.so) is loaded. They drop all submissions.
bool has_drm_shim() { return has_library("_noop_drm_shim"); }

std::string compile_only_reason(const PhysicalDevice& device) {
  if (device.api_version < VK_API_VERSION_1_1)
    return "percycle needs Vulkan 1.1; the device has " + version_text(device.properties.apiVersion);
  if (!compute_family(device)) return "the device has no compute queue";
  if (device.memory.memoryHeapCount == 0 || device.memory.memoryTypeCount == 0) {
    return "the driver reports no memory: a null device, for compiling only";
  }
  if (largest_group(device.properties.limits) == 0) return kNoGroups;
  if (device.properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU && has_drm_shim())
    return "Mesa's no-op DRM shim stands in for the kernel driver: for compiling only";
  return {};
}

}  // namespace

DeviceInfo describe(const PhysicalDevice& device, std::uint32_t index) {
  DeviceInfo info;
  info.api = Api::vulkan;
  info.index = index;
  info.open_index = index;
  describe_identity(device, info);
  describe_units(device, info);
  describe_memory(device, info);
  describe_limits(device, info);
  describe_subgroups(device, info);
  describe_features(device, info);
  describe_matrices(device, info);
  describe_timer(device, info);
  if (const auto family = compute_family(device)) info.queue = queue_text(*family, device.families[*family].queueFlags);
  describe_clocks(device, info);
  describe_loop_limit(device, info);
  info.compile_only = compile_only_reason(device);
  return info;
}

}  // namespace percycle::vulkan
