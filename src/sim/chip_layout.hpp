#pragma once

#include <cstdint>

#include "sim/model.hpp"

namespace percycle::sim {

// Places on the chip of a model with a ChipLayout.

/// The slice of the last cache of path global that holds the line with this address.
std::uint32_t slice_of(const Model& model, std::uint64_t address);

/// The partition of the chip in which the unit lies. Slices lie in partition `slice % partitions`.
std::uint32_t partition_of(const ChipLayout& chip, std::uint32_t unit);

/// Cycles of a hit of the unit in the slice.
double hit_cycles(const Model& model, std::uint32_t unit, std::uint32_t slice);

}  // namespace percycle::sim
