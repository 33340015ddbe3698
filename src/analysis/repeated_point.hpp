#pragma once

#include <optional>

#include "core/measurement.hpp"

namespace percycle {

/// Whether the later of two results of the same point counts. It does, unless both have
/// `fastest_ns_per_op` (CPUs). Then the faster one counts: other load only slows a walk down. Pure.
bool later_counts(const PointResult& earlier, const PointResult& later);

/// The same by their `fastest_ns_per_op` alone.
bool later_counts(const std::optional<double>& earlier_fastest_ns, const std::optional<double>& later_fastest_ns);

}  // namespace percycle
