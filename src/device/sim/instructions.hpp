#pragma once

#include <cstdint>

#include "device/kernel.hpp"
#include "device/sim/model.hpp"

namespace percycle::sim {

/// Bytes of one block of a kernel with macro BLOCK, with the check before it; 0 for other kernels,
/// whose code has no length.
std::uint64_t block_bytes(const Model& model, const KernelDesc& kernel);

/// Bytes of all blocks; likewise.
std::uint64_t code_bytes(const Model& model, const KernelDesc& kernel);

/// Cycles of each instruction of straight-line code of that length which runs again and again. The
/// model has instructions.
double cycles_per_instruction(const Model& model, std::uint64_t bytes);

}  // namespace percycle::sim
