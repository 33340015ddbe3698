#include "codegen/programs/imagined_gpu.hpp"

#include <map>
#include <vector>

#include "core/units.hpp"

namespace percycle {
namespace {

struct Gpu {
  const char* vendor;
  const char* capability;
  std::vector<std::uint32_t> subgroup_sizes;
  std::uint64_t local_memory_bytes;
};

/// Whether OpenCL C can read it, see device/opencl/clocks.cpp.
bool reads_unit_clock(std::string_view kind) { return kind == "nvidia" || kind == "gcn1" || kind == "gcn" || kind == "rdna"; }

/// Products of each pair of types that a kernel has. clang 16's PTX lacks the products of fp8.
std::vector<MatrixShape> imagined_shapes(Api api, std::string_view kind) {
  const bool is_opencl = api == Api::opencl;
  if (kind == "xe" && is_opencl)
    return {{8, 8, 16, "fp16", "fp32"}, {8, 8, 16, "bf16", "fp32"}, {8, 8, 32, "sint8", "sint32"}, {8, 8, 32, "uint8", "uint32"}};
  if (kind != "nvidia") return {};
  const std::uint32_t columns = is_opencl ? 8 : 16;
  std::vector<MatrixShape> shapes{{16, columns, 16, "fp16", "fp32"},
                                  {16, columns, 16, "fp16", "fp16"},
                                  {16, columns, 16, "bf16", "fp32"},
                                  {16, columns, 32, "sint8", "sint32"},
                                  {16, columns, 32, "uint8", "uint32"}};
  if (is_opencl) {
    shapes.push_back({16, 8, 8, "tf32", "fp32"});
    shapes.push_back({8, 8, 4, "fp64", "fp64"});
    for (const std::uint32_t depth : {4u, 8u, 16u}) shapes.push_back({16, 8, depth, "fp64", "fp64"});
  } else {
    shapes.push_back({16, 16, 32, "fp8_e4m3", "fp32"});
    shapes.push_back({128, 128, 32, "fp16", "fp32", 256});
  }
  return shapes;
}

}  // namespace

DeviceInfo imagined_gpu(Api api, std::string_view kind) {
  static const std::map<std::string_view, Gpu> kinds{
      {"nvidia", {"NVIDIA", "7.5", {32}, 48 * kKiB}}, {"gcn1", {"AMD", "gfx601", {64}, 32 * kKiB}},
      {"gcn", {"AMD", "gfx900", {64}, 64 * kKiB}},    {"rdna", {"AMD", "gfx1030", {32}, 64 * kKiB}},
      {"rdna3", {"AMD", "gfx1100", {32}, 64 * kKiB}}, {"intel", {"Intel", "", {8, 16, 32}, 64 * kKiB}},
      {"xe", {"Intel", "", {8, 16, 32}, 64 * kKiB}}};
  const Gpu& gpu = kinds.at(kind);
  DeviceInfo info;
  info.api = api;
  info.name = kind;
  info.vendor = gpu.vendor;
  info.type = DeviceType::gpu;
  if (*gpu.capability != '\0') info.compute_capability = gpu.capability;
  info.units = Sourced<std::uint32_t>{8, Provenance::reported};
  info.memory_bytes = 8 * kGiB;
  info.max_allocation_bytes = 4 * kGiB;
  info.local_memory_bytes = gpu.local_memory_bytes;
  info.constant_bytes = 64 * kKiB;
  // Other drivers' uniform buffers are larger than the walk through several buffers.
  if (api == Api::vulkan && info.vendor == "NVIDIA") info.constant_buffers = 1024;
  info.max_texel_elements = std::uint64_t{1} << 27u;
  info.max_image_side = 16384;
  info.max_storage_bytes = 4 * kGiB;
  info.max_group_size = info.vendor == "Intel" ? 256 : 1024;
  info.max_groups = 65535;
  info.max_parameter_bytes = 256;
  info.subgroup_sizes = gpu.subgroup_sizes;
  info.subgroup_size_control = kind == "xe";  // its products of matrices need it
  info.address_bits = 64;
  info.buffer_addresses = true;
  info.int64 = true;
  info.int16 = true;
  info.int8 = true;
  info.fp64 = info.vendor != "Intel";  // not every generation has them
  // OpenCL on NVIDIA: by PTX. Others' extensions differ by generation and driver.
  const bool nvidia = info.vendor == "NVIDIA";
  info.fp16 = kind != "gcn1";
  info.matrix_shapes = imagined_shapes(api, kind);
  info.dot_product = nvidia || api == Api::vulkan;
  const bool lanes = nvidia || api == Api::vulkan;
  info.subgroup_operations = {
      .vote = lanes, .ballot = lanes, .broadcast = lanes, .shuffle = lanes, .reduction = api == Api::vulkan};
  info.global_atomics = {.int64 = true, .float_add = info.vendor == "NVIDIA"};
  info.local_atomics = info.global_atomics;
  info.timer_period_ns = 1;
  info.timer_valid_bits = 64;
  if (api == Api::vulkan || reads_unit_clock(kind))
    info.unit_clock = KernelClock{.name = "imagined", .device_wide = false, .tick_ns = {}};
  if (nvidia) info.unit_id = "imagined";
  return info;
}

}  // namespace percycle
