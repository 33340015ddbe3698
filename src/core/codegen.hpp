#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace percycle {

/// Memory accesses of one kind in a piece of machine code.
struct CodeAccess {
  std::string kind;         ///< "load", "store" or "atomic"
  std::string space;        ///< the path: "vector", "scalar", "texture", "local" or "scratch"
  std::uint32_t bytes = 0;  ///< of one access of one lane
  bool returns = false;     ///< of atomics
  std::uint64_t count = 0;

  bool operator==(const CodeAccess&) const = default;
};

/// What a piece of machine code holds, by instructions.
struct CodeCounts {
  std::vector<CodeAccess> accesses;
  std::uint64_t alu = 0;         ///< operations of every lane
  std::uint64_t scalar_alu = 0;  ///< operations once for the subgroup
  std::uint64_t branches = 0;
  std::uint64_t calls = 0;
  std::optional<double>
      alu_per_access;  ///< both kinds of operations to each of the accesses that are measured; none where nothing is

  bool operator==(const CodeCounts&) const = default;
};

/// What became of a timed kernel.
struct Codegen {
  std::string form;                        ///< what was read, e.g. "Assembly", "SASS (ptxas, not the driver)"; empty: nothing
  std::optional<std::uint64_t> registers;  ///< of a lane
  std::optional<std::uint64_t> spills;     ///< registers or bytes that were moved to memory, as the driver or ptxas counts them
  std::optional<std::uint64_t> scratch_bytes;  ///< of a lane, in memory that the compiler made up
  bool whole = false;                          ///< `counts` are those of all code, for there is no loop in the source
  std::optional<CodeCounts> counts;            ///< of the timed loop; none where no code was read, or no loop found in it
  std::string missing;                         ///< why a form, or all of them, could not be had; empty: nothing is amiss

  bool operator==(const Codegen&) const = default;
};

}  // namespace percycle
