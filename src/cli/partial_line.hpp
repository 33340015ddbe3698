#pragma once

#include "store/load.hpp"

namespace percycle {

/// Says on stderr, in one line, that the file's partial last line was left out; nothing where it has none.
void note_partial_line(const LoadedFile& file);

}  // namespace percycle
