#pragma once

#include <string>
#include <vector>

namespace percycle {

/// The names of all experiments that registered a presentation, sorted.
std::vector<std::string> presented_experiments();

}  // namespace percycle
