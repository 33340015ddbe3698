#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/measurement.hpp"

namespace percycle {

/// The capacity of a unit, from experiment `residency`. A value is empty if its points were not
/// measured or leave a choice.
struct Residency {
  std::optional<std::uint64_t> groups;          ///< work-groups at once
  std::optional<std::uint64_t> subgroups;       ///< subgroups at once
  std::optional<std::uint64_t> invocations;     ///< invocations at once
  std::optional<std::uint64_t> registers;       ///< words of 32 bits in the register file
  std::optional<std::uint64_t> register_step;   ///< an invocation gets a multiple of this
  std::optional<std::uint64_t> local_bytes;     ///< local memory for all work-groups
  std::optional<std::uint64_t> local_step;      ///< a work-group gets a multiple of this,
  std::optional<std::uint64_t> local_overhead;  ///< and takes so much more
  std::vector<std::string> evidence;

  bool empty() const { return evidence.empty(); }
};

/// Reads the points of experiment `residency`. The size of the register file and of local memory is
/// the only one that gives every measured count: a unit holds as many groups as fit, each rounded
/// up to a step. Pure.
Residency read_residency(std::span<const PointResult> results);

}  // namespace percycle
