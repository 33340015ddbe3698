#pragma once

#include <string>
#include <string_view>

namespace percycle::isa {

/// The output of `llvm-objdump -d` for AMD's code as assembly for parse_amdgcn: functions end in
/// ".Lfunc_end", and branches name a label in place of llvm-objdump's number with the target in a
/// comment ("// 0000000000B4: BF84FFF5 <k+0x8c>").
std::string assembly_of_objdump(std::string_view text);

}  // namespace percycle::isa
