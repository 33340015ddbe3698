#pragma once

#include "device/kernel.hpp"

namespace percycle {

/// "global", "texture", "constant", "local" or "scalar".
const char* name_of(MemoryPath path);

/// "load", "store" or "atomic".
const char* name_of(AccessKind kind);

}  // namespace percycle
