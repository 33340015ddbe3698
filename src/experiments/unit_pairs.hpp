#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace percycle {

using UnitPair = std::pair<std::uint32_t, std::uint32_t>;

/// At least `wanted` pairs of `units` units, or all there are: whole rounds of a round-robin tournament by the circle method (each unit
/// meets each other one once, and in a round plays once; of an odd number one rests), spread evenly over it. The lower number first.
std::vector<UnitPair> spread_pairs(std::uint32_t units, std::uint64_t wanted);

}  // namespace percycle
