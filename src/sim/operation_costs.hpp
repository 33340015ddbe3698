#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "sim/memory_model.hpp"
#include "sim/model.hpp"

namespace percycle::sim {

/// Results of an operation that a unit delivers per cycle.
double results_per_cycle(const Model& model, std::string_view operation);

/// Busy cycles of each unit with its streams; 0 for idle units. Pure.
///
/// A scheduler begins an operation of a subgroup every lanes * results of a step * schedulers /
/// results per unit and cycle. All chains of all subgroups on a scheduler take turns. One step of
/// all of them takes the sum of these times, or the operation's latency if that is longer. The
/// slowest scheduler decides. Two operations that take turns run in parallel: the slower one
/// decides, and a scheduler begins one operation per cycle. Helpers of a step take no time.
std::vector<double> operation_stream_cycles(const Model& model, std::span<const OperationStream> together);

}  // namespace percycle::sim
