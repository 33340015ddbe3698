#pragma once

#include <cstdint>

#include "device/kernel.hpp"
#include "sim/memory_model.hpp"
#include "sim/model.hpp"

namespace percycle::sim {

/// Bytes of one block of a kernel with macro BLOCK, with the check before it; 0 for other kernels,
/// whose code has no length.
std::uint64_t block_bytes(const Model& model, const KernelDesc& kernel);

/// Bytes of all blocks; 0 for the same kernels.
std::uint64_t code_bytes(const Model& model, const KernelDesc& kernel);

/// Code that two subgroups run in turns.
struct CodeInTurns {
  std::uint64_t bytes = 0;
  Actor actor;
  std::uint64_t other_bytes = 0;
  Actor other;
};

/// Cycles of each instruction of straight-line code which the first of both runs again and again.
/// The model has instructions.
double cycles_per_instruction(const Model& model, const CodeInTurns& code);

/// The cycles by which each load of a walk through so many bytes of constants is slower if its unit
/// runs code of that length between its parts.
double constant_delay(const Model& model, std::uint64_t constant_bytes, std::uint64_t code_bytes);

}  // namespace percycle::sim
