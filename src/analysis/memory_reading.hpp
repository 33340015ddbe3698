#pragma once

#include <optional>
#include <span>
#include <string>

#include "analysis/geometry.hpp"
#include "analysis/seen_level.hpp"
#include "analysis/tlb.hpp"

namespace percycle {

/// Reads the memory behind the last level of a path (confidence: docs/internals.md). `levels`: its
/// levels after all doubts; `reading`: its curve. Empty if the walks of a small memory (constants)
/// end before most of them miss the last level.
std::optional<HierarchyMemory> read_memory(const GeometryReader& reader, const CurveReading& reading, const PathLevels& levels,
                                           const std::string& path, std::span<const TlbLevel> tlbs);

}  // namespace percycle
