#pragma once

#include <string_view>

#include "codegen/assembly/listing.hpp"

namespace percycle::isa {

/// Reads NVIDIA's machine code as nvdisasm or `cuobjdump -sass` writes it: the code of the function `kernel`, or all of it where the text names no such
/// function or no name is given. Branches go to labels ("`(.L_x_3)") or to addresses ("0x1b0"), which each line begins with. Mnemonics after NVIDIA, CUDA Binary Utilities,
/// "Instruction Set Reference". A texture load delivers 4 B for each bit of its mask. What the uniform datapath does is counted once for the subgroup.
Listing parse_sass(std::string_view text, std::string_view kernel);

}  // namespace percycle::isa
