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
  alu,         ///< by every lane
  scalar_alu,  ///< once for the subgroup
  branch,
  call,
  clock,  ///< reads a counter
  other,  ///< waits, barriers, hints
};

/// The unit of the hardware that answers a memory access.
enum class Space {
  vector,   ///< global memory, an address to each lane
  scalar,   ///< global or constant memory, one address for the subgroup, through a path of its own
  texture,  ///< formatted: texel buffers, images
  local,
  scratch,  ///< memory that the compiler made up: spills, arrays
};

struct Instruction {
  InstructionKind kind = InstructionKind::other;
  Space space = Space::vector;         ///< of loads, stores and atomics
  std::uint32_t bytes = 0;             ///< of one access of one lane
  std::uint32_t accesses = 1;          ///< that one instruction makes, at addresses of their own
  bool returns = false;                ///< of atomics
  std::vector<std::string> targets{};  ///< of branches: the labels that it may go to
  bool falls_through = true;           ///< whether the next instruction may follow
  bool votes = false;                  ///< asks the lanes of the subgroup
};

/// The code of one kernel.
struct Listing {
  std::vector<Instruction> code;
  std::map<std::string, std::size_t> labels;   ///< the instruction behind each
  std::optional<std::uint32_t> registers;      ///< of a lane
  std::optional<std::uint32_t> scratch_bytes;  ///< of a lane
};

}  // namespace percycle::isa
