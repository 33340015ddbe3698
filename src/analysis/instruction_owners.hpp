#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/measurement.hpp"

namespace percycle {

/// The owner of one level of instruction caches.
struct InstructionCacheOwner {
  enum class OwnerKind {
    subgroups,   ///< some subgroups of a unit: those of one scheduler
    unit,        ///< all subgroups of a unit
    neighbours,  ///< neighbouring units
    device,      ///< units that are far from each other
  };

  std::size_t level = 1;         ///< as one subgroup sees them, counted from 1
  std::uint64_t size_bytes = 0;  ///< of the level
  OwnerKind part = OwnerKind::unit;
  std::uint32_t copies = 1;  ///< of the level in a unit
  double confidence = 0;     ///< certainty of the least certain decision, times that of the level
  std::vector<std::string> evidence;

  /// "some subgroups of a unit (4 copies)"
  std::string owner_words() const;
};

/// Whether constants live in the same cache as code.
struct ConstantsBesideCode {
  std::uint64_t constant_bytes = 0;  ///< of the chain
  bool shared = false;
  /// Constants and code that fitted together, and those that did not: the cache's size is between.
  std::uint64_t fitting_bytes = 0;
  std::uint64_t evicting_bytes = 0;
  std::optional<std::size_t> level;  ///< of the instruction caches: its size is between them
  double alone_cycles = 0;           ///< of a load without code
  double most_cycles = 0;            ///< of a load with the longest code
  double confidence = 0;
  std::vector<std::string> evidence;
};

struct InstructionSharingReading {
  std::vector<InstructionCacheOwner> owners;   ///< ascending by level
  std::vector<ConstantsBesideCode> constants;  ///< ascending by bytes
  std::vector<std::string> evidence;           ///< of levels without an owner
};

/// Reads the points of experiment `instruction-sharing`. The aggressor in the
/// victim's own subgroup shows the cost of an eviction; the others are held against it. Pure.
InstructionSharingReading read_instruction_sharing(std::span<const PointResult> results);

}  // namespace percycle
