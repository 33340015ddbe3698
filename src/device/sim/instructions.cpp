#include "device/sim/instructions.hpp"

#include <string>

namespace percycle::sim {
namespace {

constexpr std::uint64_t kCheck = 2;  // instructions: a comparison and a branch

std::uint64_t number(const KernelDesc& kernel, const char* macro) {
  const auto found = kernel.definitions.find(macro);
  return found == kernel.definitions.end() ? 0 : std::stoull(found->second);
}

}  // namespace

std::uint64_t block_bytes(const Model& model, const KernelDesc& kernel) {
  const std::uint64_t block = number(kernel, "BLOCK");
  return block == 0 || !model.instructions ? 0 : (block + kCheck) * model.instructions->bytes;
}

std::uint64_t code_bytes(const Model& model, const KernelDesc& kernel) {
  return block_bytes(model, kernel) * number(kernel, "BLOCKS");
}

double cycles_per_instruction(const Model& model, std::uint64_t bytes) {
  for (const InstructionCache& cache : model.instructions->caches) {
    if (bytes <= cache.size_bytes) return cache.cycles;
  }
  return model.instructions->memory_cycles;
}

}  // namespace percycle::sim
