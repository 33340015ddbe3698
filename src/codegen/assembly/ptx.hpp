#pragma once

#include <string_view>

#include "codegen/assembly/listing.hpp"

namespace percycle::isa {

/// Reads one kernel of PTX (NVIDIA, PTX ISA), or the whole text without a name. PTX is not machine
/// code: moves are free and not counted, ptxas decides whether an atomic returns a value, and a
/// load from .const may become an operand.
Listing parse_ptx(std::string_view text, std::string_view kernel);

}  // namespace percycle::isa
