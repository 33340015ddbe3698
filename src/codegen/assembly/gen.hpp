#pragma once

#include <string_view>

#include "codegen/assembly/listing.hpp"

namespace percycle::isa {

/// Reads assembly of Intel's Gen8 to Xe-HPG as IGA writes it (`ocloc disasm`): one kernel. Messages are known by IGA's comments ("untyped surface read with
/// xyzw"), local memory by the binding table's index 254 (Intel, Programmer's Reference Manual for Skylake, volume 7: "SLM"). An instruction for the lanes
/// behind the first part of a subgroup is the same one again, and not counted.
Listing parse_gen(std::string_view text);

}  // namespace percycle::isa
