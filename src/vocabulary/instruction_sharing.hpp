#pragma once

#include "vocabulary/chases.hpp"
#include "vocabulary/instruction_cache.hpp"

namespace percycle {

namespace experiment {
inline constexpr const char* kInstructionSharing = "instruction-sharing";
}

namespace parameter {
inline constexpr const char* kVictim = "victim";        ///< that is timed
inline constexpr const char* kBeside = "beside";        ///< place of the aggressor
inline constexpr const char* kAggressor = "aggressor";  ///< number of its subgroup or unit
inline constexpr const char* kVictimBlocks = "victim_blocks";
inline constexpr const char* kAggressorBlocks = "aggressor_blocks";
/// Bytes of both chains of constants; parameter `level` says which one is walked.
inline constexpr const char* kInnerBytes = "inner_bytes";
inline constexpr const char* kOuterBytes = "outer_bytes";
}  // namespace parameter

namespace code_victim {
inline constexpr const char* kCode = "code";            ///< level, block_length, victim_blocks
inline constexpr const char* kConstants = "constants";  ///< level, inner_bytes, outer_bytes, stride
}  // namespace code_victim

namespace code_aggressor {
inline constexpr const char* kNothing = "nothing";    ///< there is no aggressor
inline constexpr const char* kSubgroup = "subgroup";  ///< of the same unit; 0: the victim itself
inline constexpr const char* kUnit = "unit";          ///< of another unit
}  // namespace code_aggressor

/// Blocks of the aggressor's program, and of the victim's.
inline constexpr unsigned kSideBlocks = 32;

}  // namespace percycle
