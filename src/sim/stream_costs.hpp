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

/// Busy cycles of each unit of the device with its streams; 0 for idle units. Pure.
///
/// A level serves a region if all regions in one instance of the level, each counted once, fit
/// together. Otherwise the next level serves it, in the end memory. A unit's own cache never serves
/// coherent streams. Every level up to the serving one passes all bytes and takes bytes /
/// `bytes_per_cycle` of an instance; the slowest level decides. A level without `bytes_per_cycle`
/// is no limit. If the rows of a stream lie apart (Stream::row), the first level passes the bytes
/// that the lanes request, and each later level the whole sectors of the levels before it.
///
/// If nothing limits a stream, or if its accesses depend on each other, each access of a subgroup
/// waits for the one before it. It takes the latency of the serving level and, in local memory, one
/// more cycle for every further word of the busiest bank. Limited streams of one unit share the
/// unit; dependent streams run in parallel. Multiply-adds between the accesses (Stream::fmas) run
/// at the unit's rate of `fp32-fma`; the slower of both decides.
std::vector<double> stream_cycles(const Model& model, std::span<const Stream> streams);

/// The latency of an access as a multiple of that on an idle device, while other accesses take this
/// share of the highest rate: an access waits as in a queue with fixed service times (M/D/1), whose
/// own limit is a quarter above that rate, so that the wait at the highest rate is finite. Pure.
double latency_under_load(double share);

}  // namespace percycle::sim
