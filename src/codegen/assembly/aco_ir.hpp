#pragma once

#include <string>
#include <string_view>

namespace percycle::isa {

/// The intermediate representation of Mesa's ACO ("ACO IR", before register allocation) as assembly
/// for parse_amdgcn: for GFX6 and GFX7, of which RADV shows no assembly. docs/internals.md lists
/// the differences.
std::string assembly_of_aco_ir(std::string_view text);

}  // namespace percycle::isa
