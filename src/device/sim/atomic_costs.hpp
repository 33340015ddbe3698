#pragma once

#include <span>
#include <vector>

#include "device/sim/memory_model.hpp"
#include "device/sim/model.hpp"

namespace percycle::sim {

/// How many cycles each unit of the device is busy with the atomics of its work-groups, by unit; 0 where none does any. Pure; the model has
/// Atomics::throughput.
///
/// The slowest decides: of the unit's own operations at what a unit does; of all operations, whoever asks, on each word that it asks for, and in
/// global memory on each line that it asks for and of the whole device, at what those do. Work-groups share no word of local memory.
std::vector<double> atomic_cycles(const Model& model, std::span<const AtomicStream> together);

}  // namespace percycle::sim
