#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace percycle::isa {

enum class InstructionKind {
  load,
  store,
  atomic,
  alu,         ///< executed by every lane
  scalar_alu,  ///< executed once per subgroup
  branch,
  call,
  clock,  ///< reads a counter
  other,  ///< waits, barriers, hints
};

/// The hardware unit that serves a memory access.
enum class Space {
  vector,   ///< global memory, an address per lane
  scalar,   ///< global or constant memory, one address per subgroup, through its own path
  texture,  ///< formatted: texel buffers, images
  local,
  scratch,  ///< memory that the compiler allocated: spills, arrays
};

struct Instruction {
  InstructionKind kind = InstructionKind::other;
  Space space = Space::vector;         ///< for loads, stores and atomics
  std::uint32_t bytes = 0;             ///< per access and lane
  std::uint32_t accesses = 1;          ///< accesses of one instruction, each with its own address
  bool returns = false;                ///< an atomic that returns the old value
  std::vector<std::string> targets{};  ///< labels that a branch may go to
  bool falls_through = true;           ///< whether the next instruction may follow
  bool votes = false;                  ///< a vote of the lanes of the subgroup
  std::string name{};                  ///< the assembler's: "IMAD.HI.U32", "v_add_u32"
};

/// The code of one kernel.
struct Listing {
  std::vector<Instruction> code;
  std::map<std::string, std::size_t> labels;   ///< the instruction after each label
  std::optional<std::uint32_t> registers;      ///< per lane
  std::optional<std::uint32_t> scratch_bytes;  ///< per lane
  /// From the first to the last instruction of the most frequent name.
  std::optional<std::uint64_t> code_bytes;
};

}  // namespace percycle::isa
