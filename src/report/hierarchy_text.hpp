#pragma once

#include <string>

#include "analysis/hierarchy.hpp"

namespace percycle {

/// The hierarchy in one sentence: "L1 32 KiB, 128 B lines, 64-way, 32.0 cycles; perhaps L2 3 MiB to
/// 5 MiB, ...; memory not reached; first TLB reach 32 MiB (confidence 0.91 or more)". Findings below
/// kStatedConfidence stand behind "perhaps". Describes the global path if it was measured, else the
/// first path with a level. Empty if nothing was found.
std::string hierarchy_sentence(const Hierarchy& hierarchy);

/// The hierarchy as tables.
std::string hierarchy_tables(const Hierarchy& hierarchy);

/// The evidence for each finding, one line per piece.
std::string hierarchy_evidence(const Hierarchy& hierarchy);

}  // namespace percycle
