// Vulkan's own properties; contract_test.cpp covers the Device interface. Layers and drivers must
// be chosen before the process makes its instance, so some cases start this program again as a
// "vulkan child" case. VK_INSTANCE_LAYERS loads the layer, VK_LAYER_ENABLES adds synchronisation.
#include <doctest/doctest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "contract_kernel.hpp"
#include "device/vulkan/describe.hpp"
#include "device/vulkan/driver_version.hpp"
#include "device/vulkan/glsl_source.hpp"
#include "device/vulkan/memory.hpp"
#include "device/vulkan/queue_pair.hpp"
#include "device/vulkan/result.hpp"
#include "device/vulkan/submitter.hpp"
#include "device/vulkan/timestamps.hpp"
#include "device/vulkan/vulkan.hpp"

namespace percycle::vulkan_test {

namespace {

struct ChildResult {
  bool success = false;
  std::string output;
};

/// Runs one "vulkan child" case of this program with `environment` ("A=1 B=2") in front.
ChildResult run_child(const std::string& environment, const std::string& test_case) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe");
  const std::string command = environment + " '" + program + "' --no-skip --test-case='" + test_case + "' 2>&1";
  ChildResult result;
  std::FILE* const pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> chunk{};
  while (const std::size_t n = std::fread(chunk.data(), 1, chunk.size(), pipe)) result.output.append(chunk.data(), n);
  const int status = pclose(pipe);
  result.success = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return result;
}

// The layer's own leaks would fail a sanitizer build's child.
const std::string kValidation =
    "ASAN_OPTIONS=detect_leaks=0 VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation "
    "VK_LAYER_ENABLES=VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT";

/// Whether the layer reported anything: its messages contain the id of the rule.
bool complained(const std::string& output) {
  return output.find("VUID-") != std::string::npos || output.find("SYNC-HAZARD") != std::string::npos ||
         output.find("UNASSIGNED-") != std::string::npos;
}

const std::filesystem::path kRadvManifest = "/usr/share/vulkan/icd.d/radeon_icd.x86_64.json";
const std::string kNullDevice =
    "RADV_FORCE_FAMILY=navi21 VK_DRIVER_FILES=" + kRadvManifest.string() + " VK_ICD_FILENAMES=" + kRadvManifest.string();

Enumeration enumerate() {
  Enumeration all;
  enumerate_vulkan({[&all](DeviceInfo info) { all.devices.push_back(std::move(info)); },
                    [&all](EnumerationProblem problem) { all.problems.push_back(std::move(problem)); }});
  return all;
}

vulkan::Features all_features() {
  vulkan::Features features;
  features.buffer_device_address = features.int64 = features.subgroup_size_control = features.subgroup_clock = true;
  features.device_clock = features.scalar_block_layout = features.sm_builtins = true;
  return features;
}

std::vector<std::uint32_t> compile(const KernelDesc& desc, const vulkan::Features& features, const char* source,
                                   std::uint32_t api_version) {
  DeviceInfo info;
  info.int64 = features.int64;
  if (features.subgroup_clock) info.unit_clock = KernelClock{};
  if (features.device_clock) info.device_clock = KernelClock{};
  if (features.sm_builtins) info.unit_id = "test";
  return vulkan::compile_kernel(desc, "test.comp", source, info, features, api_version);
}

/// An invented, plausible driver of Vulkan 1.3.
vulkan::PhysicalDevice sound_device() {
  vulkan::PhysicalDevice device;
  device.api_version = device.properties.apiVersion = VK_API_VERSION_1_3;
  device.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
  device.properties.limits.timestampPeriod = 52.08F;
  auto& limits = device.properties.limits;
  limits.maxComputeWorkGroupInvocations = 1024;
  for (std::uint32_t& size : limits.maxComputeWorkGroupSize) size = 64;
  device.memory.memoryHeapCount = device.memory.memoryTypeCount = 1;
  device.memory.memoryHeaps[0] = {1u << 30, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
  device.families = {{VK_QUEUE_COMPUTE_BIT, 1, 36, {1, 1, 1}}};
  device.id.deviceUUID[15] = 0x2a;
  device.driver.emplace();
  return device;
}

/// A product of fp16 with fp32 sums by a work-group, of multiples of these sizes.
VkCooperativeMatrixFlexibleDimensionsPropertiesNV flexible(std::uint32_t rows, std::uint32_t columns, std::uint32_t depth,
                                                           std::uint32_t invocations) {
  VkCooperativeMatrixFlexibleDimensionsPropertiesNV product{};
  product.MGranularity = rows;
  product.NGranularity = columns;
  product.KGranularity = depth;
  product.CType = product.ResultType = static_cast<VkComponentTypeKHR>(1);
  product.scope = VK_SCOPE_WORKGROUP_KHR;
  product.workgroupInvocations = invocations;
  return product;
}

bool lacks(const DeviceInfo& info, const std::string& feature) {
  for (const std::string& line : info.lacks) {
    if (line.starts_with(feature)) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("vulkan: products of work-groups have sizes by their granularity, and 64 sums in a lane") {
  auto device = sound_device();
  device.features.fp16 = true;
  device.flexible_matrices = {flexible(32, 32, 16, 128), flexible(32, 64, 16, 256), flexible(64, 16, 64, 64),
                              flexible(256, 256, 16, 256)};
  const std::vector<MatrixShape> shapes{
      {128, 64, 32, "fp16", "fp32", 128}, {128, 128, 32, "fp16", "fp32", 256}, {64, 64, 64, "fp16", "fp32", 64}};
  CHECK(vulkan::describe(device, 0).matrix_shapes == shapes);
  // A finer granularity that leads to a known shape.
  device.flexible_matrices.push_back(flexible(16, 16, 16, 256));
  CHECK(vulkan::describe(device, 0).matrix_shapes == shapes);
}

TEST_CASE("vulkan: products of work-groups that no kernel can have are left out") {
  auto device = sound_device();
  device.features.fp16 = true;
  const auto shapes_with = [&](auto change) {
    auto product = flexible(16, 16, 16, 512);
    change(product);
    device.flexible_matrices = {product};
    return vulkan::describe(device, 0).matrix_shapes.size();
  };
  CHECK(shapes_with([](auto&) {}) == 1);
  CHECK(shapes_with([](auto& product) { product.scope = VK_SCOPE_SUBGROUP_KHR; }) == 0);
  CHECK(shapes_with([](auto& product) { product.saturatingAccumulation = VK_TRUE; }) == 0);
  CHECK(shapes_with([](auto& product) { product.MGranularity = 0; }) == 0);
  CHECK(shapes_with([](auto& product) { product.NGranularity = 0; }) == 0);
  CHECK(shapes_with([](auto& product) { product.KGranularity = 0; }) == 0);
  CHECK(shapes_with([](auto& product) { product.workgroupInvocations = 0; }) == 0);
  CHECK(shapes_with([](auto& product) { product.BType = static_cast<VkComponentTypeKHR>(1); }) == 0);
  CHECK(shapes_with([](auto& product) { product.CType = static_cast<VkComponentTypeKHR>(0); }) == 0);
  device.flexible_limits = VkPhysicalDeviceCooperativeMatrix2PropertiesNV{};
  device.flexible_limits->cooperativeMatrixWorkgroupScopeMaxWorkgroupSize = 512;
  device.flexible_limits->cooperativeMatrixFlexibleDimensionsMaxDimension = 16;
  CHECK(shapes_with([](auto&) {}) == 1);
  CHECK(shapes_with([](auto& product) { product.KGranularity = 32; }) == 0);
  device.flexible_limits->cooperativeMatrixWorkgroupScopeMaxWorkgroupSize = 511;
  CHECK(shapes_with([](auto&) {}) == 0);
  device.flexible_limits.reset();
  device.features.fp16 = false;
  CHECK(shapes_with([](auto&) {}) == 0);
}

TEST_CASE("vulkan: products of work-groups stay within the driver's largest dimension") {
  auto device = sound_device();
  device.features.fp16 = true;
  device.flexible_limits = VkPhysicalDeviceCooperativeMatrix2PropertiesNV{};
  device.flexible_limits->cooperativeMatrixWorkgroupScopeMaxWorkgroupSize = 1024;
  device.flexible_limits->cooperativeMatrixFlexibleDimensionsMaxDimension = 64;
  device.flexible_matrices = {flexible(32, 32, 16, 256), flexible(16, 64, 64, 128)};
  CHECK(vulkan::describe(device, 0).matrix_shapes ==
        std::vector<MatrixShape>{{64, 64, 32, "fp16", "fp32", 256}, {64, 64, 64, "fp16", "fp32", 128}});
  device.flexible_limits->cooperativeMatrixFlexibleDimensionsMaxDimension = 24;
  device.flexible_matrices = {flexible(16, 8, 16, 128)};
  CHECK(vulkan::describe(device, 0).matrix_shapes == std::vector<MatrixShape>{{16, 16, 16, "fp16", "fp32", 128}});
}

TEST_CASE("vulkan: driver versions are decoded as each vendor packs them") {
  using enum vulkan::VersionPacking;
  constexpr std::uint32_t kNvidia580 = 580u << 22 | 159u << 14 | 4u << 6;
  CHECK(vulkan::decode_driver_version(nvidia, kNvidia580) == "580.159.04");
  CHECK(vulkan::decode_driver_version(nvidia, 390u << 22 | 157u << 14) == "390.157");
  CHECK(vulkan::decode_driver_version(nvidia, 460u << 22 | 32u << 14 | 3u << 6 | 1u) == "460.32.03.01");
  CHECK(vulkan::decode_driver_version(intel_windows, 101u << 14 | 2111u) == "101.2111");
  CHECK(vulkan::decode_driver_version(vulkan::VersionPacking::vulkan, VK_MAKE_API_VERSION(0, 22, 3, 6)) == "22.3.6");
}

TEST_CASE("vulkan: the driver's own text is preferred where it holds a version") {
  using enum vulkan::VersionPacking;
  CHECK(vulkan::driver_text("Mesa 22.3.6 (LLVM 15.0.6)", vulkan::VersionPacking::vulkan, 1) == "Mesa 22.3.6 (LLVM 15.0.6)");
  CHECK(vulkan::driver_text("Intel driver", intel_windows, 101u << 14 | 2111u) == "101.2111");
  CHECK(vulkan::driver_text("", nvidia, 390u << 22 | 157u << 14) == "390.157");
  CHECK(vulkan::mesa_major("Mesa 22.3.6 (LLVM 15.0.6)") == 22u);
  CHECK(vulkan::mesa_major("Mesa 25.1.0-devel (git-0123456789)") == 25u);
  CHECK_FALSE(vulkan::mesa_major("580.159.04").has_value());
  CHECK_FALSE(vulkan::mesa_major("Mesa ").has_value());
}

TEST_CASE("vulkan: timestamps are masked, may wrap, and garbage is refused") {
  CHECK(vulkan::elapsed_ns(100, 350, 64, 1.0) == 250.0);
  CHECK(vulkan::elapsed_ns(100, 112, 36, 83.25) == 12 * 83.25);
  constexpr std::uint64_t kUndefinedBits = 0xabcd0000'00000000u;
  CHECK(vulkan::elapsed_ns(100, kUndefinedBits | 350, 36, 1.0) == 250.0);
  CHECK(vulkan::elapsed_ns((std::uint64_t{1} << 36) - 5, 7, 36, 2.0) == 24.0);
  CHECK(vulkan::elapsed_ns(~std::uint64_t{0} - 4, 5, 64, 1.0) == 10.0);
  CHECK_FALSE(vulkan::elapsed_ns(0, 0, 64, 1.0).has_value());
  CHECK_FALSE(vulkan::elapsed_ns(7, 7, 64, 1.0).has_value());
  CHECK_FALSE(vulkan::elapsed_ns(350, 100, 64, 1.0).has_value());
  CHECK_FALSE(vulkan::elapsed_ns(100, 350, 0, 1.0).has_value());
  CHECK(vulkan::plausible_period(52.5F) == 52.5);
  for (const float period : {0.0F, -1.0F, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    CHECK_FALSE(vulkan::plausible_period(period).has_value());
  }
}

TEST_CASE("vulkan: two commands take from the first begin to the last end, in any order") {
  CHECK(vulkan::longest_ns({100, 130}, {200, 250}, 64, 2.0) == 300.0);
  CHECK(vulkan::longest_ns({130, 100}, {250, 200}, 64, 1.0) == 150.0);
  CHECK(vulkan::longest_ns({100, 300}, {200, 450}, 64, 1.0) == 350.0);  // one after the other
  CHECK_FALSE(vulkan::longest_ns({0, 0}, {0, 0}, 64, 1.0).has_value());
}

vulkan::PhysicalDevice with_families(const std::vector<VkQueueFamilyProperties>& families) {
  vulkan::PhysicalDevice device = sound_device();
  device.families = families;
  return device;
}

TEST_CASE("vulkan: kernels run on a queue without graphics if it has timestamps") {
  const auto chosen = [](const std::vector<VkQueueFamilyProperties>& families) {
    return vulkan::compute_family(with_families(families));
  };
  constexpr VkQueueFlags kAll = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
  constexpr VkQueueFlags kCompute = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
  const VkExtent3D any{1, 1, 1};
  CHECK(chosen({{kAll, 16, 64, any}, {VK_QUEUE_TRANSFER_BIT, 2, 64, any}, {kCompute, 8, 64, any}}) == 2);
  CHECK(chosen({{kCompute, 8, 0, any}, {kAll, 16, 64, any}}) == 1);
  CHECK(chosen({{kAll, 16, 64, any}, {kCompute, 0, 64, any}}) == 0);
  CHECK(chosen({{VK_QUEUE_TRANSFER_BIT, 1, 64, any}, {kAll, 1, 0, any}}) == 1);
  CHECK_FALSE(chosen({{VK_QUEUE_GRAPHICS_BIT, 1, 64, any}}));
}

TEST_CASE("vulkan: the queue of the kernels is named") {
  constexpr VkQueueFlags kMore = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT | VK_QUEUE_SPARSE_BINDING_BIT | 0x20;
  const VkExtent3D any{1, 1, 1};
  const auto queue = [](const std::vector<VkQueueFamilyProperties>& families) {
    return vulkan::describe(with_families(families), 0).queue;
  };
  CHECK(queue({{VK_QUEUE_GRAPHICS_BIT, 1, 64, any}, {kMore, 8, 64, any}}) == "family 1: compute, transfer, sparse binding");
  CHECK(queue({{VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT, 1, 64, any}}) == "family 0: graphics, compute");
  CHECK_FALSE(queue({{VK_QUEUE_GRAPHICS_BIT, 1, 64, any}}));
}

TEST_CASE("vulkan: copies both ways take queues that only copy, else two of the compute family") {
  using Places = std::vector<vulkan::QueuePlace>;
  const auto queues = [](const std::vector<VkQueueFamilyProperties>& families) {
    return vulkan::copy_queues(with_families(families));
  };
  constexpr VkQueueFlags kAll = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
  constexpr VkQueueFlags kCopies = VK_QUEUE_TRANSFER_BIT | VK_QUEUE_SPARSE_BINDING_BIT;
  constexpr VkQueueFlags kVideo = VK_QUEUE_TRANSFER_BIT | 0x20;
  const VkExtent3D any{1, 1, 1};
  CHECK(queues({{kAll, 16, 64, any}, {kVideo, 1, 64, any}, {kCopies, 2, 64, any}}) == Places{{2, 0}, {2, 1}});
  CHECK(queues({{kAll, 16, 64, any}, {kCopies, 1, 64, any}}) == Places{{1, 0}, {0, 0}});
  CHECK(queues({{kAll, 4, 64, any}, {kCopies, 2, 0, any}}) == Places{{0, 0}, {0, 1}});
  CHECK(queues({{kAll, 1, 64, any}, {kVideo, 8, 64, any}}).empty());
  CHECK(queues({{kCopies, 2, 64, any}}).empty());
}

TEST_CASE("vulkan: a pair of queues copies both ways, also if it is one queue twice") {
  const auto instance = vulkan::shared_instance();
  for (VkPhysicalDevice handle : instance->physical_devices()) {
    auto physical = vulkan::query(handle);
    auto info = vulkan::describe(physical, 0);
    if (!info.compile_only.empty()) continue;
    CAPTURE(info.name);
    const auto device = std::make_shared<const vulkan::LogicalDevice>(instance, std::move(physical), std::move(info));
    constexpr std::uint64_t kBytes = 4096;
    const vulkan::VulkanBuffer there(device, kBytes);
    const vulkan::VulkanBuffer back(device, kBytes);
    const vulkan::StagingBuffer sent(device, kBytes);
    const vulkan::StagingBuffer received(device, kBytes);
    const vulkan::StagingBuffer check(device, kBytes);
    const VkBufferCopy whole{0, 0, kBytes};
    const auto copy = [&](VkBuffer from, VkBuffer to) {
      return
          [&device, &whole, from, to](VkCommandBuffer commands) { device->api().vkCmdCopyBuffer(commands, from, to, 1, &whole); };
    };
    vulkan::Submitter submitter(device);
    const vulkan::DeviceQueue queue{device->family(), device->queue()};
    vulkan::QueuePair pair(device, {queue, queue});
    for (const int round : {1, 2}) {
      std::memset(sent.data(), 0x10 + round, kBytes);
      submitter.submit(
          [&](VkCommandBuffer commands) {
            device->api().vkCmdFillBuffer(commands, back.handle(), 0, kBytes, 0x01010101u * static_cast<std::uint32_t>(round));
            pair.reset(commands);
          },
          VK_PIPELINE_STAGE_TRANSFER_BIT);
      const Timing timing = pair.submit({copy(sent.handle(), there.handle()), copy(back.handle(), received.handle())});
      CHECK(timing.host_ns > 0);
      submitter.submit(copy(there.handle(), check.handle()), VK_PIPELINE_STAGE_TRANSFER_BIT);
      CHECK(std::all_of(check.data(), check.data() + kBytes, [&](std::byte one) { return one == std::byte(0x10 + round); }));
      CHECK(std::all_of(received.data(), received.data() + kBytes, [&](std::byte one) { return one == std::byte(round); }));
    }
  }
}

TEST_CASE("vulkan: failed calls keep their names and name the way out") {
  CHECK(vulkan::result_name(VK_ERROR_DEVICE_LOST) == "VK_ERROR_DEVICE_LOST");
  CHECK(vulkan::result_name(static_cast<VkResult>(-4242)) == "VkResult -4242");
  CHECK(vulkan::error_kind(VK_ERROR_DEVICE_LOST) == DeviceError::Kind::lost);
  CHECK(vulkan::error_kind(VK_ERROR_OUT_OF_DEVICE_MEMORY) == DeviceError::Kind::out_of_memory);
  CHECK_NOTHROW(vulkan::check(VK_SUCCESS, "vkQueueSubmit"));
  try {
    vulkan::check(VK_ERROR_OUT_OF_HOST_MEMORY, "vkAllocateMemory");
    FAIL("no error");
  } catch (const DeviceError& error) {
    CHECK(error.call == "vkAllocateMemory");
    CHECK(error.code == "VK_ERROR_OUT_OF_HOST_MEMORY");
  }
}

TEST_CASE("vulkan: missing and impossible driver values are absent with a reason") {
  SUBCASE("a sound device") {
    const DeviceInfo info = vulkan::describe(sound_device(), 3);
    CHECK(info.index == 3);
    CHECK(info.uuid == "0000000000000000000000000000002a");
    CHECK(info.memory_bytes == 1u << 30);
    CHECK(info.timer_valid_bits == 36u);
    CHECK(info.timer_period_ns.value() == doctest::Approx(52.08));
    CHECK(info.compile_only.empty());
    CHECK_FALSE(info.units.has_value());
    CHECK(lacks(info, "unit count"));
    CHECK(lacks(info, "PCI address"));
    CHECK(lacks(info, "unit clock"));
    CHECK(lacks(info, "unit number"));
    CHECK_FALSE(info.unit_id);
    CHECK_FALSE(info.max_loop_iterations.has_value());
  }
  SUBCASE("an infinite period") {
    auto device = sound_device();
    device.properties.limits.timestampPeriod = std::numeric_limits<float>::infinity();
    const DeviceInfo info = vulkan::describe(device, 0);
    CHECK_FALSE(info.timer_period_ns.has_value());
    CHECK(lacks(info, "device timer"));
  }
  SUBCASE("a queue without timestamps; one with them is preferred") {
    auto device = sound_device();
    device.families[0].timestampValidBits = 0;
    CHECK_FALSE(vulkan::describe(device, 0).timer_valid_bits.has_value());
    CHECK(lacks(vulkan::describe(device, 0), "device timer"));
    device.families.push_back({VK_QUEUE_COMPUTE_BIT, 1, 40, {1, 1, 1}});
    CHECK(vulkan::compute_family(device) == 1u);
    CHECK(vulkan::describe(device, 0).timer_valid_bits == 40u);
  }
  SUBCASE("nothing to run on") {
    auto device = sound_device();
    device.families[0].queueFlags = VK_QUEUE_TRANSFER_BIT;
    CHECK_WORDS("vulkan.no-compute-queue", vulkan::describe(device, 0).compile_only);
    device = sound_device();
    device.memory.memoryHeapCount = 0;
    CHECK_FALSE(vulkan::describe(device, 0).compile_only.empty());
    CHECK_FALSE(vulkan::describe(device, 0).memory_bytes.has_value());
    device = sound_device();
    device.api_version = device.properties.apiVersion = VK_API_VERSION_1_0;
    CHECK_FALSE(vulkan::describe(device, 0).compile_only.empty());
  }
  SUBCASE("uniform buffers") {
    auto device = sound_device();
    auto& limits = device.properties.limits;
    limits.maxDescriptorSetUniformBuffers = 90;
    limits.maxPerStageDescriptorUniformBuffers = 15;
    CHECK(vulkan::describe(device, 0).constant_buffers == 15u);
    limits.maxDescriptorSetUniformBuffers = 12;
    CHECK(vulkan::describe(device, 0).constant_buffers == 12u);
    limits.maxPerStageDescriptorUniformBuffers = 1;
    CHECK_FALSE(vulkan::describe(device, 0).constant_buffers);
  }
  SUBCASE("units") {
    auto device = sound_device();
    device.sm_builtins.emplace().shaderSMCount = 132;
    device.features.sm_builtins = true;
    CHECK(vulkan::describe(device, 0).unit_id == "VK_NV_shader_sm_builtins");
    CHECK(vulkan::describe(device, 0).units == Sourced<std::uint32_t>{132, Provenance::reported});
    device = sound_device();
    auto& core = device.amd_core.emplace();
    core.shaderEngineCount = 4;
    core.shaderArraysPerEngineCount = 2;
    core.computeUnitsPerShaderArray = 10;
    CHECK(vulkan::describe(device, 0).units->value == 80);
    device.amd_core2.emplace().activeComputeUnitCount = 72;
    CHECK(vulkan::describe(device, 0).units->value == 72);
    // RDNA: two compute units per work-group processor.
    device.size_control.emplace().minSubgroupSize = 32;
    CHECK(vulkan::describe(device, 0).units->value == 36);
    CHECK(lacks(vulkan::describe(device, 0), "unit count: the driver counts 72"));
  }
  SUBCASE("8-bit matrices that Mesa emulates on an Intel GPU without a dot product of bytes") {
    auto device = sound_device();
    device.features.int8 = device.features.fp16 = true;
    const auto add = [&device](std::uint32_t factors, std::uint32_t sums) {
      auto& matrix = device.matrices.emplace_back();
      matrix.MSize = matrix.NSize = matrix.KSize = 8;
      matrix.AType = matrix.BType = static_cast<VkComponentTypeKHR>(factors);
      matrix.CType = matrix.ResultType = static_cast<VkComponentTypeKHR>(sums);
      matrix.scope = VK_SCOPE_SUBGROUP_KHR;
    };
    add(0, 1);  // fp16, fp32
    add(3, 5);  // sint8, sint32
    device.dot_product.emplace();
    CHECK(vulkan::describe(device, 0).matrix_shapes.size() == 2);
    device.driver.emplace().driverID = VK_DRIVER_ID_INTEL_OPEN_SOURCE_MESA;
    REQUIRE(vulkan::describe(device, 0).matrix_shapes.size() == 1);
    CHECK(vulkan::describe(device, 0).matrix_shapes.front().factors == "fp16");
    CHECK(lacks(vulkan::describe(device, 0), "matrices of 8-bit integers"));
    device.dot_product->integerDotProduct4x8BitPackedSignedAccelerated = VK_TRUE;
    CHECK(vulkan::describe(device, 0).matrix_shapes.size() == 2);
  }
  SUBCASE("subgroup sizes: the powers of two that compute may ask for") {
    auto device = sound_device();
    device.subgroup.subgroupSize = 32;
    device.features.subgroup_size_control = true;
    auto& control = device.size_control.emplace();
    control.minSubgroupSize = 8;
    control.maxSubgroupSize = 32;
    control.maxComputeWorkgroupSubgroups = 64;
    CHECK(vulkan::describe(device, 0).subgroup_sizes == std::vector<std::uint32_t>{32});
    CHECK_FALSE(vulkan::describe(device, 0).subgroup_size_control);
    CHECK_FALSE(vulkan::describe(device, 0).max_subgroups);
    control.requiredSubgroupSizeStages = VK_SHADER_STAGE_COMPUTE_BIT;
    CHECK(vulkan::describe(device, 0).subgroup_sizes == std::vector<std::uint32_t>{8, 16, 32});
    CHECK(vulkan::describe(device, 0).subgroup_size_control);
    CHECK(vulkan::describe(device, 0).max_subgroups == 64u);
  }
  SUBCASE("lavapipe") {
    auto device = sound_device();
    device.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU;
    device.driver->driverID = VK_DRIVER_ID_MESA_LLVMPIPE;
    std::strcpy(device.driver->driverInfo, "Mesa 22.3.6 (LLVM 15.0.6)");
    CHECK(vulkan::describe(device, 0).max_loop_iterations == 65000u);
    CHECK_FALSE(vulkan::describe(device, 0).uuid.has_value());
    std::strcpy(device.driver->driverInfo, "Mesa 25.0.1 (LLVM 19.1.7)");
    CHECK_FALSE(vulkan::describe(device, 0).max_loop_iterations.has_value());
  }
}

TEST_CASE("vulkan: every extension path compiles, on and off, for every version of the API") {
  static constexpr const char* kSource = R"(
layout(std430, set = 0, binding = 0) buffer Out { uvec2 result[]; };
#if HAS_INT64
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { uint v; };
#endif
void main() {
  uvec2 sum = percycle_unit_clock() + percycle_device_clock() + constants[1].xy + uvec2(percycle_unit_id(), gl_SubgroupSize);
#if HAS_INT64
  Words words = Words(p.address);
  [[unroll]] for (uint i = 0; i < 4; ++i) sum.x += words[i].v;
  sum.y += uint(uint64_t(words) >> 32);
#endif
  result[gl_GlobalInvocationID.x] = sum;
}
)";
  KernelDesc desc;
  desc.local_size = 32;
  desc.bindings = {{"out"}, {"address", BindingKind::address}};
  desc.constants.resize(32);
  constexpr std::size_t kVersionWord = 1;
  for (const vulkan::Features& features : {all_features(), vulkan::Features{}}) {
    CHECK(compile(desc, features, kSource, VK_API_VERSION_1_1).at(kVersionWord) == 0x00010300);
    CHECK(compile(desc, features, kSource, VK_API_VERSION_1_2).at(kVersionWord) == 0x00010500);
    CHECK(compile(desc, features, kSource, VK_API_VERSION_1_3).at(kVersionWord) == 0x00010500);
  }
}

TEST_CASE("vulkan: a build error names the kernel's own line") {
  try {
    compile(contract_kernel(), all_features(), "void main() {\n  nonsense;\n}\n", VK_API_VERSION_1_1);
    FAIL("it compiled");
  } catch (const DeviceError& error) {
    CHECK(error.kind == DeviceError::Kind::build);
    CHECK(error.log.find("test.comp:2") != std::string::npos);
  }
}

TEST_CASE("vulkan: a call beyond a limit of the device is refused before the driver sees it") {
  // Untouched, it costs a software device nothing.
  constexpr std::uint64_t kCheap = std::uint64_t{1} << 30;
  for (const DeviceInfo& info : enumerate().devices) {
    if (!info.compile_only.empty() || !info.buffer_addresses) continue;
    CAPTURE(info.name);
    const auto device = open_vulkan(info.index);
    Dispatch dispatch;
    dispatch.kernel = device->create(contract_kernel());
    const auto small = device->create(BufferDesc{256});
    const auto image = device->create(ImageDesc{small, TexelFormat::r32_uint});
    const auto plane = device->create(ImageDesc{small, TexelFormat::r32_uint, kPlaneWidth});
    dispatch.bindings = {{small, nullptr}, {small, nullptr}, {nullptr, image}, {small, nullptr}, {nullptr, plane}};
    dispatch.parameters = {{"n", 0}, {"add", 0}};
    CHECK_NOTHROW(device->run(dispatch));
    if (info.max_groups < std::numeric_limits<std::uint32_t>::max()) {
      dispatch.groups = static_cast<std::uint32_t>(info.max_groups + 1);
      CHECK_THROWS_AS(device->run(dispatch), std::invalid_argument);
      dispatch.groups = 1;
    }
    if (info.max_storage_bytes < kCheap) {
      const auto large = device->create(BufferDesc{info.max_storage_bytes + 4});
      dispatch.bindings[1].buffer = large;  // an address reaches all of it
      CHECK_NOTHROW(device->run(dispatch));
      dispatch.bindings[0].buffer = large;
      CHECK_THROWS_AS(device->run(dispatch), std::invalid_argument);
    }
    if (info.max_texel_elements * 4 < kCheap) {
      const auto large = device->create(BufferDesc{(info.max_texel_elements + 2) * 4});
      CHECK_THROWS_AS(device->create(ImageDesc{large, TexelFormat::r32_uint}), std::invalid_argument);
      CHECK_NOTHROW(device->create(ImageDesc{large, TexelFormat::rg32_uint}));
    }
    KernelDesc heavy = contract_kernel();
    heavy.parameters.push_back({"more", "", info.max_parameter_bytes / 4 + 1});
    CHECK_THROWS_AS(device->create(heavy), std::invalid_argument);
  }
}

TEST_CASE("vulkan: no driver at all is a problem of the loader, not an error") {
  const ChildResult child =
      run_child("VK_DRIVER_FILES=/nonexistent.json VK_ICD_FILENAMES=/nonexistent.json", "vulkan child: nothing to list");
  CHECK_MESSAGE(child.success, child.output);
}

TEST_CASE("vulkan child: nothing to list" * doctest::skip()) {
  const Enumeration all = enumerate();
  CHECK(all.devices.empty());
  REQUIRE(all.problems.size() == 1);
  CHECK(all.problems[0].where == "loader");
  CHECK_THROWS_AS(open_vulkan(0), DeviceError);
}

TEST_CASE("vulkan: a null device is listed, compiles and does not run") {
  if (!std::filesystem::exists(kRadvManifest)) {
    MESSAGE("RADV is not installed");
    return;
  }
  const ChildResult child = run_child(kNullDevice, "vulkan child: null device");
  CHECK_MESSAGE(child.success, child.output);
}

TEST_CASE("vulkan child: null device" * doctest::skip()) {
  const Enumeration all = enumerate();
  REQUIRE(all.devices.size() == 1);
  const DeviceInfo& info = all.devices[0];
  CHECK_FALSE(info.compile_only.empty());
  CHECK_FALSE(info.timer_period_ns.has_value());
  CHECK_FALSE(info.memory_bytes.has_value());
  CHECK(info.vendor == "AMD");

  const auto device = open_vulkan(0);
  CHECK_THROWS_AS(device->create(BufferDesc{1024}), DeviceError);
  Dispatch dispatch;
  dispatch.kernel = device->create(contract_kernel());
  REQUIRE(device->code(*dispatch.kernel).has_value());
  CHECK_FALSE(device->code(*dispatch.kernel)->statistics.empty());
  CHECK_THROWS_AS(device->run(dispatch), DeviceError);
}

TEST_CASE("vulkan: transfers and every kind of binding are silent under core and synchronisation validation") {
  const ChildResult proof = run_child(kValidation, "vulkan child: hazard");
  if (!complained(proof.output)) {
    MESSAGE("VK_LAYER_KHRONOS_validation is not installed");
    return;
  }
  const ChildResult child = run_child(kValidation, "vulkan child: contract");
  CHECK_MESSAGE(child.success, child.output);
  CHECK_MESSAGE(!complained(child.output), child.output);
}

TEST_CASE("vulkan child: hazard" * doctest::skip()) {
  const auto instance = vulkan::shared_instance();
  for (VkPhysicalDevice handle : instance->physical_devices()) {
    auto physical = vulkan::query(handle);
    auto info = vulkan::describe(physical, 0);
    if (!info.compile_only.empty()) continue;
    const auto device = std::make_shared<const vulkan::LogicalDevice>(instance, std::move(physical), std::move(info));
    const vulkan::VulkanBuffer buffer(device, 1024);
    vulkan::Submitter(device).submit(
        [&](VkCommandBuffer commands) {
          device->api().vkCmdFillBuffer(commands, buffer.handle(), 0, 1024, 1);
          device->api().vkCmdFillBuffer(commands, buffer.handle(), 0, 1024, 2);
        },
        VK_PIPELINE_STAGE_TRANSFER_BIT);
  }
}

TEST_CASE("vulkan child: contract" * doctest::skip()) {
  constexpr std::uint32_t kWords = 1000;
  constexpr std::uint64_t kBytes = std::uint64_t{kWords} * 4;
  for (const DeviceInfo& info : enumerate().devices) {
    if (!info.compile_only.empty() || !info.buffer_addresses) continue;
    CAPTURE(info.name);
    const auto device = open_vulkan(info.index);
    std::vector<std::uint32_t> input(kWords);
    std::iota(input.begin(), input.end(), 17u);
    KernelDesc desc = contract_kernel();
    const std::array<std::uint32_t, 8> constants{1, 2, 3, 4, 5, 6, 7, 8};
    std::memcpy(desc.constants.data(), constants.data(), desc.constants.size());
    if (info.subgroup_size_control) desc.subgroup_size = info.subgroup_sizes.back();

    Dispatch dispatch;
    dispatch.kernel = device->create(desc);
    const auto buffer = device->create(BufferDesc{kBytes});
    const auto result = device->create(BufferDesc{kBytes});
    const auto image = device->create(ImageDesc{buffer, TexelFormat::r32_uint});
    device->write(*buffer, 0, std::as_bytes(std::span(input)), HostMemory::pinned);
    const auto plane = device->create(ImageDesc{buffer, TexelFormat::r32_uint, kPlaneWidth});
    dispatch.bindings = {{buffer, nullptr}, {buffer, nullptr}, {nullptr, image}, {result, nullptr}, {nullptr, plane}};
    dispatch.parameters = {{"n", kWords}, {"add", 1000}};
    dispatch.groups = (kWords + 31) / 32;
    for (int i = 0; i < 2; ++i) device->run(dispatch);

    std::vector<std::uint32_t> output(kWords);
    const Timing timing = device->read(*result, 0, std::as_writable_bytes(std::span(output)));
    CHECK(timing.host_ns > 0);
    for (std::uint32_t i = 0; i < kWords; ++i) REQUIRE(output[i] == input[i] * 6 + 1000 + constants[(i & 1) * 4 + 1]);
  }
}

}  // namespace percycle::vulkan_test
