#pragma once

#include <string>

#include "report/comparison.hpp"

namespace percycle {

enum class TextFormat { plain, markdown };

/// The sides, then each pair with what is none of noise by experiment, the largest first (of one device over time what got worse, then what got better),
/// then each experiment's table across devices. Plain text holds the first 20 changes of an experiment and counts the others.
std::string to_text(const RunComparison& comparison, TextFormat format);

}  // namespace percycle
