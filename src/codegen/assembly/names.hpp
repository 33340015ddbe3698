#pragma once

#include <string_view>

#include "codegen/assembly/listing.hpp"

namespace percycle::isa {

/// "load", "store" or "atomic"; null for an instruction that accesses no memory.
const char* name_of(InstructionKind kind);

/// "vector", "scalar", "texture", "local" or "scratch".
const char* name_of(Space space);

/// Whether an instruction multiplies matrices: NVIDIA's HMMA.16816.F32, IMMA.16832.S8.S8, ...,
/// AMD's v_wmma and v_mfma, Intel's dpas.
bool multiplies_matrices(std::string_view instruction);

}  // namespace percycle::isa
