#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "codegen/assembly/timed_loop.hpp"
#include "core/codegen.hpp"
#include "experiments/trial.hpp"

namespace percycle {

/// The kind of instructions that make such accesses.
isa::InstructionKind kind_of(AccessKind kind);

/// The accesses in the form in which records keep them.
std::vector<CodeAccess> code_accesses(const isa::Counts& counts);

/// Places of those accesses that the turn has; those with a count of 0 are left out. `has_scalar_path`: whether a load of one address for the subgroup
/// has an instruction of its own in this assembly; where that is not known, either is taken.
std::vector<std::size_t> measured_accesses(std::span<const CodeAccess> accesses, const TurnAccess& wanted,
                                           std::optional<bool> has_scalar_path = std::nullopt);

}  // namespace percycle
