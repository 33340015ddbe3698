#pragma once

#include <string>

#include "analysis/hierarchy.hpp"

namespace percycle {

/// A level's size; as a range if it is known to no better than 10 %.
std::string size_words(const HierarchyLevel& level);

/// The path whose levels tables and drawings show: the global one, else the first with any, except
/// that of constants; else empty.
std::string main_path(const Hierarchy& hierarchy);

/// "perhaps " before a finding with a confidence below kStatedConfidence, else empty.
const char* doubt_words(double confidence);

/// The hierarchy in one sentence: "L1 32 KiB, 32.0 cycles; L2 perhaps 3 MiB to 5 MiB, ...
/// (confidence 0.91 or more)", with "perhaps" before each figure below kStatedConfidence and the
/// command that settles it. Describes the global path
/// if it was measured, else the first path with a level. Empty if nothing was found.
std::string hierarchy_sentence(const Hierarchy& hierarchy);

}  // namespace percycle
