#pragma once

#include "vocabulary/chases.hpp"

namespace percycle {

namespace experiment {
inline constexpr const char* kConstantWords = "constant-words";
}

namespace parameter {
inline constexpr const char* kWords = "words";  ///< distinct ones of a load of the subgroup
}

}  // namespace percycle
