#pragma once

namespace percycle {

namespace experiment {
inline constexpr const char* kInstructionCache = "instruction-cache";
}

namespace parameter {
inline constexpr const char* kScope = "scope";               ///< who runs the code
inline constexpr const char* kBlockLength = "block_length";  ///< instructions of a block
inline constexpr const char* kRunBlocks = "run_blocks";      ///< blocks that a turn runs
}  // namespace parameter

namespace instruction_scope {
inline constexpr const char* kSubgroup = "subgroup";      ///< one subgroup
inline constexpr const char* kSchedulers = "schedulers";  ///< one subgroup per scheduler of a unit
inline constexpr const char* kUnits = "units";            ///< the same on all units
}  // namespace instruction_scope

/// Blocks of each program.
inline constexpr unsigned kProgramBlocks = 64;
/// An observation of a trial: bytes of the program's machine code, if the device tells.
inline constexpr const char* kObservedCodeBytes = "code_bytes";

}  // namespace percycle
