#pragma once

#include <optional>

#include "codegen/assembly/timed_loop.hpp"

namespace percycle::fuzz {

/// Counts a listing's instructions and finds its loops.
inline void read_listing(const isa::Listing& listing) {
  static_cast<void>(isa::counts(listing));
  for (const auto& kind : {std::optional<isa::InstructionKind>(), std::optional(isa::InstructionKind::load),
                           std::optional(isa::InstructionKind::atomic)}) {
    if (const auto loop = isa::timed_loop(listing, kind)) static_cast<void>(isa::counts(listing, *loop));
  }
}

}  // namespace percycle::fuzz
