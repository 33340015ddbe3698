#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/programs/kernel_variants.hpp"

namespace percycle {

/// The OpenCL program that a card of this kind (imagined_gpu.hpp) would get, with the clocks that
/// its compiler can read.
std::string opencl_program(const KernelVariant& variant, std::string_view gpu_kind);

/// The SPIR-V module that a Vulkan 1.2 device with every feature (except those of one vendor) would
/// get. Throws DeviceError.
std::vector<std::uint32_t> vulkan_module(const KernelVariant& variant, const DeviceInfo& device);

}  // namespace percycle
