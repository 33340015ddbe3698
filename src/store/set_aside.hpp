#pragma once

#include "store/load.hpp"

namespace percycle {

/// Makes each point with impossible numbers `invalid`, with the sentence as its reason, so that no
/// figure of it is stated. Its samples stay.
void set_aside_impossible(LoadedFile& file);

}  // namespace percycle
