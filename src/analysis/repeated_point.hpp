#pragma once

#include "core/measurement.hpp"

namespace percycle {

/// Which of two results of the same point counts: whether the later one does. It does, unless both know how fast the device is when nobody else
/// uses it (`fastest_ns_per_op`, CPUs): then the faster one, since what others take of a core and its caches only ever slows a walk down. Pure.
bool later_counts(const PointResult& earlier, const PointResult& later);

}  // namespace percycle
