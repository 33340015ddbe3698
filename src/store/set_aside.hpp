#pragma once

#include "store/load.hpp"

namespace percycle {

/// Makes each point with impossible numbers `invalid`, with the sentence as its reason, so that no
/// figure of it is stated. Its samples stay.
void set_aside_impossible(LoadedFile& file);

/// load(), then set_aside_impossible(): for commands that state figures.
LoadedFile load_sound(const std::filesystem::path& path);

}  // namespace percycle
