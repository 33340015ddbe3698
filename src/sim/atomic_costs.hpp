#pragma once

#include <span>
#include <vector>

#include "sim/memory_model.hpp"
#include "sim/model.hpp"

namespace percycle::sim {

/// Busy cycles of each unit of the device with its work-groups' atomics; 0 for idle units. Pure;
/// the model must have Atomics::throughput. The slowest resource decides: the unit, each word, and
/// for global memory each line and the whole device. Work-groups share no word of local memory.
std::vector<double> atomic_cycles(const Model& model, std::span<const AtomicStream> together);

}  // namespace percycle::sim
