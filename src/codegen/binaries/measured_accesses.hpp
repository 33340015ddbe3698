#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "codegen/assembly/timed_loop.hpp"
#include "core/codegen.hpp"
#include "experiments/trial.hpp"

namespace percycle {

/// The kind of instructions that make these accesses.
isa::InstructionKind kind_of(AccessKind kind);

/// The accesses in the form of a record.
std::vector<CodeAccess> code_accesses(const isa::Counts& counts);

/// Indices of the accesses that belong to the turn; skips counts of 0. `has_scalar_path`: whether
/// this assembly has its own instruction for a load of one address per subgroup; if unknown, either
/// kind counts.
std::vector<std::size_t> measured_accesses(std::span<const CodeAccess> accesses, const TurnAccess& wanted,
                                           std::optional<bool> has_scalar_path = std::nullopt);

}  // namespace percycle
