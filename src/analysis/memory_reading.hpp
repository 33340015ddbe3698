#pragma once

#include <optional>
#include <span>
#include <string>

#include "analysis/geometry.hpp"
#include "analysis/seen_level.hpp"
#include "analysis/tlb.hpp"
#include "analysis/translation.hpp"

namespace percycle {

/// The TLBs whose reach and page were counted.
std::vector<Translation> counted_translations(std::span<const TlbLevel> tlbs);

/// What answers behind the last level of a path. Confidence is the product of
///   - the last level's: where it is none, or another lies behind it, the latency is that of something else
///   - 1 - 2^-n, with n the places of the walk beyond the last edge
///   - what the walk beyond the last edge still rises by: half at 1 % of the latency
///   - whether the walk in random order, translation taken off, and that of neighbours together agree
/// `levels`: the path's levels after all doubts; `reading`: what its curve shows. Empty where the walks of a small memory (constants) end
/// before most of them miss the last level.
std::optional<HierarchyMemory> read_memory(const GeometryReader& reader, const CurveReading& reading, const PathLevels& levels,
                                           const std::string& path, std::span<const TlbLevel> tlbs);

}  // namespace percycle
