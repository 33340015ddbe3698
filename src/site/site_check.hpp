#pragma once

#include <string>
#include <vector>

#include "store/load.hpp"

namespace percycle {

/// Sentences about everything that a file of runs lacks for a site. Empty: it is complete.
std::vector<std::string> missing_for_site(const LoadedFile& file);

}  // namespace percycle
