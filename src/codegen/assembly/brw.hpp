#pragma once

#include <string_view>

#include "codegen/assembly/listing.hpp"

namespace percycle::isa {

/// Reads assembly of Intel's Gen8 to Xe-HPG as Mesa's compiler brw writes it ("GEN Assembly" of its
/// driver anv): one kernel. The text after "MsgDesc:" identifies messages (Mesa 22.3,
/// src/intel/compiler/brw_disasm.c). Repeats for further lanes ("2Q", "2H") are not counted.
Listing parse_brw(std::string_view text);

}  // namespace percycle::isa
