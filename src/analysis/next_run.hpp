#pragma once

#include <span>
#include <string>

#include "core/measurement.hpp"

namespace percycle {

/// The arguments of `percycle run` that measure doubtful figures of the hierarchy better: the
/// experiments of levels and TLBs, with more points if preset `standard` measured them already.
std::string next_run(std::span<const PointResult> results);

}  // namespace percycle
