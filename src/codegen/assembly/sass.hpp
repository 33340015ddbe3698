#pragma once

#include <string_view>

#include "codegen/assembly/listing.hpp"

namespace percycle::isa {

/// Reads NVIDIA's machine code as nvdisasm or `cuobjdump -sass` writes it: the function `kernel`,
/// or the whole text if no function has that name or no name is given. Mnemonics follow NVIDIA,
/// CUDA Binary Utilities, "Instruction Set Reference". Branches go to labels (`(.L_x_3)) or to the
/// addresses (0x1b0) at the start of each line. A texture load delivers 4 B for each bit of its
/// mask. Instructions of the uniform datapath count once per subgroup.
Listing parse_sass(std::string_view text, std::string_view kernel);

}  // namespace percycle::isa
