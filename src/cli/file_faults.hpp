#pragma once

#include "store/load.hpp"

namespace percycle {

/// Warns on stderr of a partial last line, which percycle ignores, and of impossible numbers, whose
/// points it leaves out.
void note_faults(const LoadedFile& file);

}  // namespace percycle
