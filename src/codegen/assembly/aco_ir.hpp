#pragma once

#include <string>
#include <string_view>

namespace percycle::isa {

/// The intermediate representation of Mesa's ACO ("ACO IR", before register allocation) as assembly
/// for parse_amdgcn: for GFX6 and GFX7, of which RADV shows no assembly. Ignores results,
/// unconditional branches to the next block and the compiler's own copies between registers
/// (`p_parallelcopy`, `p_create_vector` ...), because only register allocation decides how many
/// copies remain. A spill or a reload is one operation, because ACO keeps scalar registers in lanes
/// of vector registers; spills to memory are in RADV's statistics.
std::string assembly_of_aco_ir(std::string_view text);

}  // namespace percycle::isa
