#pragma once

#include <span>
#include <vector>

#include "device/sim/memory_model.hpp"
#include "device/sim/model.hpp"

namespace percycle::sim {

/// Busy cycles of each unit with its streams; 0 for idle units. Pure. docs/internals.md has the
/// rules.
std::vector<double> operation_stream_cycles(const Model& model, std::span<const OperationStream> together);

}  // namespace percycle::sim
