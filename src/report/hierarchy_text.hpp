#pragma once

#include <string>

#include "analysis/hierarchy.hpp"

namespace percycle {

/// The hierarchy in one sentence: "L1 32 KiB, 128 B lines, 64-way, 32.0 cycles; L2 4 MiB, ...; first TLB reach 32 MiB". Of the global path
/// where that was measured, else of the first path that has a level. Empty where nothing was found.
std::string hierarchy_sentence(const Hierarchy& hierarchy);

/// The hierarchy as tables.
std::string hierarchy_tables(const Hierarchy& hierarchy);

/// The evidence behind each finding, a line for each piece.
std::string hierarchy_evidence(const Hierarchy& hierarchy);

}  // namespace percycle
