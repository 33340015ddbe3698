#pragma once

#include <string>
#include <vector>

#include "core/measurement.hpp"

namespace percycle {

/// Sentences on the machine code of a point: instructions per operation, and that compiling without
/// optimisation changed nothing. Its warnings are not among them. Pure.
std::vector<std::string> code_notes(const Measurement& measurement);

}  // namespace percycle
