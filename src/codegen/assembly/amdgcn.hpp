#pragma once

#include <string_view>

#include "codegen/assembly/listing.hpp"

namespace percycle::isa {

/// Reads assembly of AMD's GCN, CDNA and RDNA as LLVM writes it (clang -S, llvm-objdump, Mesa's
/// RADV): from the label `kernel` to the end of that function, or the whole text without that
/// label. Mnemonics follow the ISA documents of GCN 3 and RDNA 3.
Listing parse_amdgcn(std::string_view text, std::string_view kernel);

}  // namespace percycle::isa
