#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/memory_model.hpp"
#include "sim/model.hpp"

namespace percycle::sim {

/// Cycles of local memory for one access of a subgroup whose lanes access `width` bytes each,
/// `lane_stride` bytes apart: the number of words in the busiest bank. Lanes with the same word are
/// served together.
std::uint32_t bank_cycles(const LocalMemory& local, std::uint32_t lanes, std::uint32_t width, std::uint32_t lane_stride);

/// Busy cycles of each unit of the device with its streams; 0 for idle units. Pure. A level serves
/// a region if all regions in one of its instances fit together. docs/internals.md has the rules.
std::vector<double> stream_cycles(const Model& model, std::span<const Stream> streams);

}  // namespace percycle::sim
