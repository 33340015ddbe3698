#pragma once

#include <string_view>

#include "codegen/assembly/listing.hpp"

namespace percycle::isa {

/// Reads NVIDIA's machine code as nvdisasm or `cuobjdump -sass` writes it: the function `kernel`,
/// or the whole text if no function has that name or no name is given. Mnemonics follow NVIDIA,
/// CUDA Binary Utilities, "Instruction Set Reference". See docs/internals.md.
Listing parse_sass(std::string_view text, std::string_view kernel);

}  // namespace percycle::isa
