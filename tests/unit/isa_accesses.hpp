#pragma once

#include <map>

#include "codegen/assembly/timed_loop.hpp"

namespace percycle::isa {

/// Counts::accesses.
using Held = std::map<Access, std::uint64_t>;

inline Access load(Space space, std::uint32_t bytes) { return {InstructionKind::load, space, bytes, false}; }
inline Access store(Space space, std::uint32_t bytes) { return {InstructionKind::store, space, bytes, false}; }
inline Access atomic(Space space, std::uint32_t bytes, bool returns) { return {InstructionKind::atomic, space, bytes, returns}; }

}  // namespace percycle::isa
