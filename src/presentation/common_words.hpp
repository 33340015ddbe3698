#pragma once

#include <span>

#include "presentation/presentation.hpp"

namespace percycle {

/// The words of charts for parameters that mean the same in all experiments. The words of an
/// experiment's own presentation come first.
std::span<const ValueWords> common_words();

}  // namespace percycle
