#pragma once

#include <optional>
#include <span>
#include <string>

#include "analysis/geometry.hpp"
#include "analysis/seen_level.hpp"
#include "analysis/tlb.hpp"

namespace percycle {

/// Reads the memory behind the last level of a path. `levels`: its levels after all doubts;
/// `reading`: its curve. Empty if the walks of a small memory (constants) end before most of them
/// miss the last level. The confidence is the product of
/// - the confidence of the last level: without it, or with another one behind it, something else
///   serves the loads,
/// - 1 - 2^-n, n the places of the walk beyond the last edge,
/// - the flatness of the walk beyond the last edge: one half if it rises by 1 % of the latency,
/// - the agreement of neighbours visited together with the walk in random order without
///   translation.
std::optional<HierarchyMemory> read_memory(const GeometryReader& reader, const CurveReading& reading, const PathLevels& levels,
                                           const std::string& path, std::span<const TlbLevel> tlbs);

/// Paths through the same memory cost the same difference everywhere. If the closest path states
/// the memory with more confidence, the others take its latency and add the difference of the first
/// levels. `paths`: their levels after all doubts.
void adopt_memory(std::vector<HierarchyMemory>& memories, std::span<const PathLevels> paths);

}  // namespace percycle
