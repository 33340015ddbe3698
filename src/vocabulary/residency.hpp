#pragma once

#include "vocabulary/chases.hpp"

namespace percycle {

namespace experiment {
inline constexpr const char* kResidency = "residency";
}

namespace parameter {
inline constexpr const char* kResource = "resource";     ///< the property that grows
inline constexpr const char* kGroupSize = "group_size";  ///< invocations of a work-group
inline constexpr const char* kValues = "values";         ///< words that each invocation keeps
}  // namespace parameter

namespace residency_resource {
inline constexpr const char* kInvocations = "invocations";   ///< group_size
inline constexpr const char* kLocalMemory = "local-memory";  ///< local_bytes
inline constexpr const char* kRegisters = "registers";       ///< values
}  // namespace residency_resource

/// An observation of a trial: registers of an invocation, if the driver tells.
inline constexpr const char* kObservedRegisters = "registers";

}  // namespace percycle
