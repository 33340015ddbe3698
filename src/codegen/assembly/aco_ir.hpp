#pragma once

#include <string>
#include <string_view>

namespace percycle::isa {

/// The intermediate representation of Mesa's ACO ("ACO IR", before registers are assigned) as assembly that parse_amdgcn reads: for GFX6 and GFX7, of which
/// RADV shows no assembly. Results are dropped; a branch without condition to the block behind it, too, and so are the compiler's own copies between
/// registers ("p_parallelcopy", "p_create_vector" ...), of which only the assignment of registers says how many are left. Spills and
/// reloads stand as an operation each: ACO keeps scalar registers in lanes of vector registers; what goes to memory is in RADV's statistics.
std::string assembly_of_aco_ir(std::string_view text);

}  // namespace percycle::isa
