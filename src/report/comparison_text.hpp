#pragma once

#include <string>

#include "report/comparison.hpp"

namespace percycle {

enum class TextFormat { plain, markdown };

/// The sides, then each pair with every change that is none of noise, the worst first, then each experiment's table across devices.
std::string to_text(const RunComparison& comparison, TextFormat format);

}  // namespace percycle
