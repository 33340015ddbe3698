#pragma once

#include <vector>

#include "expected/instruction_stream.hpp"

namespace percycle {

/// Multiply-adds of other operands than the operation of the same name without the ending: x * y +
/// z reads three registers (ending "xyz"), x * c + c two ("xcc"), x * x + x one ("xxx"). On some
/// GPUs three registers of one bank cost a cycle. The form of "fp32-fma" and "fp64-fma" is x * x +
/// c, that of "int32-mad" x * y + z. x * x + c of integers settles, and 16-bit numbers leave their
/// range, so they have no further forms.
std::vector<StreamOperation> multiply_add_forms();

}  // namespace percycle
