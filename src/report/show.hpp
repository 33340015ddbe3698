#pragma once

#include <string>

#include "store/load.hpp"

namespace percycle {

/// What `percycle show` prints of a file: for each run a heading, a table for each experiment and how many points ended how.
std::string show(const LoadedFile& file);

}  // namespace percycle
