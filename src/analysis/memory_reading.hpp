#pragma once

#include <optional>
#include <span>
#include <string>

#include "analysis/geometry.hpp"
#include "analysis/seen_level.hpp"
#include "analysis/tlb.hpp"

namespace percycle {

/// Reads the memory behind the last level of a path. Its confidence is the product of
///   - that of the last level: if there is none, or another behind it, something else answers
///   - 1 - 2^-n, with n the places of the walk beyond the last edge
///   - the rise of the walk beyond the last edge: half at 1 % of the latency
///   - whether the walk in random order, translation taken off, and that of neighbours together agree
/// `levels`: the path's levels after all doubts; `reading`: what its curve shows. Empty where the
/// walks of a small memory (constants) end before most of them miss the last level.
std::optional<HierarchyMemory> read_memory(const GeometryReader& reader, const CurveReading& reading, const PathLevels& levels,
                                           const std::string& path, std::span<const TlbLevel> tlbs);

}  // namespace percycle
