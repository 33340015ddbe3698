#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "device/sim/memory_model.hpp"
#include "device/sim/model.hpp"

namespace percycle::sim {

/// Cycles that local memory takes for one access of a subgroup whose lanes read or write `width` bytes each, `lane_stride` bytes apart: as
/// many as the busiest bank has words to serve. Lanes that ask for the same word are served together.
std::uint32_t bank_cycles(const LocalMemory& local, std::uint32_t lanes, std::uint32_t width, std::uint32_t lane_stride);

/// How many cycles each unit of the device is busy with the streams that run on it, by unit; 0 where none does. Pure.
///
/// A level serves a region when the regions that ask one instance of it, each counted once, fit into it together; else the next one is asked,
/// at last memory. Coherent streams are never served by a unit's own cache. Every level up to that one passes all bytes on, and each takes bytes / bytes_per_cycle for what goes through an
/// instance: the slowest decides. A level without bytes_per_cycle is no limit. Where nothing limits a stream, and where its accesses depend on
/// each other, each access of a subgroup waits for the one before it: the latency of the level that serves it; in local memory a cycle more for
/// every further word of the busiest bank. Streams of one unit that are limited share the unit; dependent ones run side by side.
std::vector<double> stream_cycles(const Model& model, std::span<const Stream> streams);

}  // namespace percycle::sim
