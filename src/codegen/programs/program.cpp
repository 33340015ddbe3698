#include "codegen/programs/program.hpp"

#include "device/kernel_source.hpp"
#include "device/opencl/source.hpp"
#include "device/vulkan/glsl_source.hpp"

namespace percycle {
namespace {

opencl::Clocks clocks_of(std::string_view gpu_kind) {
  using opencl::ClockSource;
  if (gpu_kind == "nvidia") return {ClockSource::ptx, ClockSource::ptx};
  if (gpu_kind == "gcn1" || gpu_kind == "gcn" || gpu_kind == "rdna") return {ClockSource::amdgcn, ClockSource::none};
  return {};
}

}  // namespace

std::string opencl_program(const KernelVariant& variant, std::string_view gpu_kind) {
  return opencl::program_source(variant.desc, clocks_of(gpu_kind));
}

std::vector<std::uint32_t> vulkan_module(const KernelVariant& variant, const DeviceInfo& device) {
  DeviceInfo info = device;
  info.device_clock = KernelClock{};
  vulkan::Features features;
  features.buffer_device_address = true;
  features.int64 = true;
  features.fp64 = info.fp64;
  features.fp16 = info.fp16;
  features.int16 = info.int16;
  features.int8 = info.int8;
  features.dot_product = info.dot_product;
  features.subgroup_vote = true;
  features.subgroup_ballot = info.subgroup_operations.ballot;
  features.subgroup_shuffle = info.subgroup_operations.shuffle;
  features.subgroup_arithmetic = info.subgroup_operations.reduction;
  features.subgroup_clock = true;
  features.device_clock = true;
  features.sm_builtins = info.unit_id.has_value();
  features.scalar_block_layout = true;
  features.buffer_int64_atomics = true;
  features.shared_int64_atomics = true;
  features.buffer_float_add = info.global_atomics.float_add;
  features.shared_float_add = info.local_atomics.float_add;
  const std::string file = variant.desc.name + ".comp";
  constexpr std::uint32_t kVulkan12 = (1u << 22u) | (2u << 12u);
  return vulkan::compile_kernel(variant.desc, file, kernel_source(file), info, features, kVulkan12);
}

}  // namespace percycle
