#pragma once

#include <string>
#include <string_view>

namespace percycle::isa {

/// What `llvm-objdump -d` prints of AMD's code, as assembly that parse_amdgcn reads: functions end in ".Lfunc_end", and a branch names a label, where
/// llvm-objdump has a number and its target in the comment ("// 0000000000B4: BF84FFF5 <k+0x8c>").
std::string assembly_of_objdump(std::string_view text);

}  // namespace percycle::isa
