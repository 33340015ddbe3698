#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "sim/memory_model.hpp"
#include "sim/model.hpp"

namespace percycle::sim {

/// Results of an operation that a unit delivers per cycle.
double results_per_cycle(const Model& model, std::string_view operation);

/// Busy cycles of each unit with its streams; 0 for idle units. Pure. docs/internals.md has the
/// rules.
std::vector<double> operation_stream_cycles(const Model& model, std::span<const OperationStream> together);

}  // namespace percycle::sim
