#pragma once

#include <string>

#include "report/comparison.hpp"

namespace percycle {

enum class TextFormat { plain, markdown };

/// The sides, then the changes of each pair above noise, by experiment, the largest first (for one
/// device over time worse, then better), then each experiment's table across devices. Plain text
/// has the first 20 changes of an experiment and counts the others.
std::string to_text(const RunComparison& comparison, TextFormat format);

}  // namespace percycle
