#pragma once

#include <string>

#include "limits/limits.hpp"
#include "store/load.hpp"

namespace percycle {

/// What `percycle show` prints of a file: for each run a heading, a table for each experiment, the clocks that ran and how many points ended how. Bandwidths are held
/// against what the catalogue says of the run's device.
std::string show(const LoadedFile& file, const LimitsCatalogue& catalogue);

}  // namespace percycle
