#pragma once

#include <vector>

#include "presentation/presentation.hpp"

namespace percycle {

/// The memory paths in charts.
std::vector<ValueWords> path_words();

}  // namespace percycle
