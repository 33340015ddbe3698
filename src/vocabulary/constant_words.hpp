#pragma once

#include "vocabulary/chases.hpp"

namespace percycle {

namespace experiment {
inline constexpr const char* kConstantWords = "constant-words";
}

namespace parameter {
inline constexpr const char* kWords = "words";  ///< distinct words that a load of the subgroup asks for
}

}  // namespace percycle
