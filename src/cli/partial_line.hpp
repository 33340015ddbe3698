#pragma once

#include "store/load.hpp"

namespace percycle {

/// If the file has a partial last line, warns on stderr that percycle ignores it.
void note_partial_line(const LoadedFile& file);

}  // namespace percycle
