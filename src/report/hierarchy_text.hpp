#pragma once

#include <string>

#include "analysis/hierarchy.hpp"

namespace percycle {

/// The hierarchy in one sentence: "L1 32 KiB, 128 B lines, 64-way, 32.0 cycles; L2 4 MiB, ...;
/// first TLB reach 32 MiB". Describes the global path if it was measured, else the first path with
/// a level. Empty if nothing was found.
std::string hierarchy_sentence(const Hierarchy& hierarchy);

/// The hierarchy as tables.
std::string hierarchy_tables(const Hierarchy& hierarchy);

/// The evidence for each finding, one line per piece.
std::string hierarchy_evidence(const Hierarchy& hierarchy);

}  // namespace percycle
