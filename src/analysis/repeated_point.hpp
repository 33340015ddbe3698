#pragma once

#include <optional>

#include "core/measurement.hpp"

namespace percycle {

/// Which of two results of the same point counts: whether the later one does. It does, unless both know how fast the device is when nobody else
/// uses it (`fastest_ns_per_op`, CPUs): then the faster one, since what others take of a core and its caches only ever slows a walk down. Pure.
bool later_counts(const PointResult& earlier, const PointResult& later);

/// The same by their `fastest_ns_per_op` alone.
bool later_counts(const std::optional<double>& earlier_fastest_ns, const std::optional<double>& later_fastest_ns);

}  // namespace percycle
