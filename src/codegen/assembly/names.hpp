#pragma once

#include "codegen/assembly/listing.hpp"

namespace percycle::isa {

/// "load", "store" or "atomic"; null for an instruction that accesses no memory.
const char* name_of(InstructionKind kind);

/// "vector", "scalar", "texture", "local" or "scratch".
const char* name_of(Space space);

}  // namespace percycle::isa
