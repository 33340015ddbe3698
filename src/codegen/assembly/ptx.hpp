#pragma once

#include <string_view>

#include "codegen/assembly/listing.hpp"

namespace percycle::isa {

/// Reads one kernel of PTX (NVIDIA, PTX ISA), all where no name is given. It is no machine code: moves cost nothing and are not counted, whether an atomic operation returns something
/// is decided later, and a load from .const may become an operand.
Listing parse_ptx(std::string_view text, std::string_view kernel);

}  // namespace percycle::isa
