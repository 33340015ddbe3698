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
  std::optional<std::uint64_t> most_registers;  ///< of an invocation without spills
  std::optional<std::uint64_t> local_bytes;     ///< local memory for all work-groups
  std::optional<std::uint64_t> local_step;      ///< a work-group gets a multiple of this,
  std::optional<std::uint64_t> local_overhead;  ///< and takes so much more
  std::vector<std::string> evidence;

  bool empty() const { return evidence.empty(); }
};

/// Work-groups of one kind that a unit held at once.
struct ResidentCount {
  std::uint64_t demand = 0;  ///< registers of an invocation, or bytes of local memory of a group
  std::uint64_t group_size = 1;
  std::uint64_t groups = 0;
};

/// The registers of a point's invocations, from the driver or the machine code.
std::optional<std::uint64_t> registers_of(const Measurement& measurement);

/// The demands that would decide the most: sizes that explain `counts` predict different counts for
/// them. A few at a time; none if no further count decides anything. `most`: groups that a unit
/// holds at most. Pure.
std::vector<std::uint64_t> telling_local_demands(const std::vector<ResidentCount>& counts, std::uint64_t most,
                                                 const std::vector<std::uint64_t>& demands);
std::vector<std::uint64_t> telling_register_demands(const std::vector<ResidentCount>& counts, std::uint64_t most,
                                                    const std::vector<std::uint64_t>& demands);

/// Reads the points of experiment `residency`. The size of the register file and of local memory is
/// the only one that gives every measured count: a unit holds as many groups as fit, each rounded
/// up to a step. Pure.
Residency read_residency(std::span<const PointResult> results);

}  // namespace percycle
