#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace percycle {

/// Memory accesses of one kind in a piece of machine code.
struct CodeAccess {
  std::string kind;         ///< "load", "store" or "atomic"
  std::string space;        ///< path: "vector", "scalar", "texture", "local" or "scratch"
  std::uint32_t bytes = 0;  ///< per access and lane
  bool returns = false;     ///< an atomic that returns the old value
  std::uint64_t count = 0;

  bool operator==(const CodeAccess&) const = default;
};

/// How many instructions of one name a piece of machine code holds.
struct CodeInstruction {
  std::string name;  ///< the assembler's: "IADD3", "v_add_u32"
  std::uint64_t count = 0;

  bool operator==(const CodeInstruction&) const = default;
};

/// Instruction counts of a piece of machine code.
struct CodeCounts {
  std::vector<CodeAccess> accesses;
  std::uint64_t alu = 0;         ///< operations that every lane executes
  std::uint64_t scalar_alu = 0;  ///< operations that a subgroup executes once
  std::uint64_t branches = 0;
  std::uint64_t calls = 0;
  /// Both kinds of operations per measured access; empty if no access is measured.
  std::optional<double> alu_per_access;
  /// All instructions by name, the most frequent first; empty unless arithmetic is measured.
  std::vector<CodeInstruction> instructions{};

  bool operator==(const CodeCounts&) const = default;
};

/// The machine code that the compiler generated for a timed kernel.
struct Codegen {
  /// The text that was read: "Assembly", "SASS (ptxas, not the driver)", ...; empty if none was.
  std::string form;
  std::optional<std::uint64_t> registers;  ///< per lane
  /// Registers or bytes moved to memory, as the driver or ptxas counts them.
  std::optional<std::uint64_t> spills;
  std::optional<std::uint64_t> scratch_bytes;  ///< per lane, in memory that the compiler allocated
  std::optional<std::uint64_t> code_bytes;     ///< from first to last most frequent instruction
  bool whole = false;                          ///< `counts` cover all code: the source has no loop
  /// Counts of the timed loop; empty if no code was read or no loop was found in it.
  std::optional<CodeCounts> counts;
  /// In plain words: the number of instructions per operation if it is not one, or the form of the
  /// source's branches.
  std::string note{};
  /// Whether a kernel compiled without optimisation has the same code as with it; empty if unknown.
  std::optional<bool> same_as_optimized{};
  /// Why one form, or each of them, is missing; empty if none is.
  std::string missing;

  bool operator==(const Codegen&) const = default;
};

}  // namespace percycle
