#pragma once

#include "codegen/assembly/listing.hpp"

namespace percycle::isa {

/// "load", "store" or "atomic"; nothing for what accesses no memory.
const char* name_of(InstructionKind kind);

/// "vector", "scalar", "texture", "local" or "scratch".
const char* name_of(Space space);

}  // namespace percycle::isa
