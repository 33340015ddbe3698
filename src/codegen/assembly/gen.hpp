#pragma once

#include <string_view>

#include "codegen/assembly/listing.hpp"

namespace percycle::isa {

/// Reads assembly of Intel's Gen8 to Xe-HPG as IGA writes it (`ocloc disasm`): one kernel. IGA's
/// comments identify messages, index 254 of the binding table local memory (Intel, Programmer's
/// Reference Manual for Skylake, volume 7: "SLM"). Repeats for further lanes are not counted.
Listing parse_gen(std::string_view text);

}  // namespace percycle::isa
