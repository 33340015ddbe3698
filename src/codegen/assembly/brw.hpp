#pragma once

#include <string_view>

#include "codegen/assembly/listing.hpp"

namespace percycle::isa {

/// Reads assembly of Intel's Gen8 to Xe-HPG as Mesa's compiler brw writes it ("GEN Assembly" of its Vulkan driver anv): one kernel. Messages are known by
/// what stands behind "MsgDesc:" (Mesa 22.3, src/intel/compiler/brw_disasm.c). An instruction for the lanes behind the first part of a subgroup ("2Q", "2H")
/// is the same one again, and not counted.
Listing parse_brw(std::string_view text);

}  // namespace percycle::isa
