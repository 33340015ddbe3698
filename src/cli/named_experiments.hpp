#pragma once

#include <string>
#include <vector>

#include "experiments/experiment.hpp"

namespace percycle {

/// The experiments with these names, each once, in the order of the names. Throws UsageError that
/// names an unknown one and close names.
std::vector<const Experiment*> named_experiments(const std::vector<std::string>& names);

}  // namespace percycle
