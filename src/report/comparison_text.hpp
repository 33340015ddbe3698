#pragma once

#include <string>

#include "report/comparison.hpp"

namespace percycle {

enum class TextFormat {
  plain,  ///< fits 120 columns; holds the first changes of an experiment and counts the others
  wide,   ///< all changes with all parameters
  markdown,
};

/// The sides, then the changes of each pair above noise, by experiment, the largest first (for one
/// device over time worse, then better), then each experiment's table across devices.
std::string to_text(const RunComparison& comparison, TextFormat format);

}  // namespace percycle
