#include "sim/instructions.hpp"

#include <algorithm>
#include <string>

namespace percycle::sim {
namespace {

constexpr std::uint64_t kCheck = 2;  // instructions: a comparison and a branch

std::uint64_t number(const KernelDesc& kernel, const char* macro) {
  const auto found = kernel.definitions.find(macro);
  return found == kernel.definitions.end() ? 0 : std::stoull(found->second);
}

/// Whether two subgroups use one instance of a cache.
bool is_common(const Model& model, CodeOwner owner, const Actor& one, const Actor& other) {
  if (owner == CodeOwner::device) return true;
  if (owner == CodeOwner::neighbours) return one.unit / 2 == other.unit / 2;
  if (one.unit != other.unit) return false;
  return owner == CodeOwner::unit || one.subgroup % model.schedulers == other.subgroup % model.schedulers;
}

}  // namespace

std::uint64_t block_bytes(const Model& model, const KernelDesc& kernel) {
  const std::uint64_t block = number(kernel, "BLOCK");
  return block == 0 || !model.instructions ? 0 : (block + kCheck) * model.instructions->bytes;
}

std::uint64_t code_bytes(const Model& model, const KernelDesc& kernel) {
  return block_bytes(model, kernel) * number(kernel, "BLOCKS");
}

double cycles_per_instruction(const Model& model, const CodeInTurns& code) {
  for (const InstructionCache& cache : model.instructions->caches) {
    const std::uint64_t held = code.bytes + (is_common(model, cache.owner, code.actor, code.other) ? code.other_bytes : 0);
    if (held <= cache.size_bytes) return cache.cycles;
  }
  return model.instructions->memory_cycles;
}

double constant_delay(const Model& model, std::uint64_t constant_bytes, std::uint64_t code_bytes) {
  const Path* path = model.path(MemoryPath::constant);
  if (path == nullptr || !model.instructions || code_bytes == 0) return 0;
  const auto latency = [&](std::uint64_t code) {
    for (const Hop& hop : path->hops) {
      const bool has_code = std::any_of(model.instructions->caches.begin(), model.instructions->caches.end(),
                                        [&](const InstructionCache& cache) { return cache.constants == hop.cache; });
      if (constant_bytes + (has_code ? code : 0) <= model.caches[hop.cache].size_bytes) return hop.latency_cycles;
    }
    return path->memory_latency_cycles;
  };
  return latency(code_bytes) - latency(0);
}

}  // namespace percycle::sim
