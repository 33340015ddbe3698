#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/measurement.hpp"

namespace percycle {

/// A level of instruction caches, seen by the subgroups of one scope.
struct InstructionCacheLevel {
  std::string scope;  ///< see vocabulary/instruction_cache.hpp
  std::uint64_t size_bytes = 0;
  std::uint64_t size_low = 0;         ///< lower bound
  std::uint64_t size_high = 0;        ///< upper bound
  double cycles_per_instruction = 0;  ///< of code that it holds; ns if no core clock is known
  double beyond = 0;                  ///< of longer code
  double confidence = 0;
};

/// The instruction caches of a unit.
struct InstructionCaches {
  std::vector<InstructionCacheLevel> levels;  ///< scope by scope, ascending in size
  std::vector<std::string> evidence;
};

/// Bytes of the machine code of a point's program; empty if they are unknown.
std::optional<double> program_bytes(const Measurement& measurement);

/// Bytes of code that a turn of a point of instruction caches runs; empty for other points, and if
/// the machine code was not read.
std::optional<double> run_bytes(const PointResult& result);

/// Bytes of one addition in the longest program of experiment `instruction-cache`; 0 if unknown.
double addition_bytes(std::span<const PointResult> results);

/// Reads the points of experiment `instruction-cache`. The length of code in bytes comes from the
/// machine code; points without it give no size. Pure.
InstructionCaches read_instruction_caches(std::span<const PointResult> results);

}  // namespace percycle
