#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace percycle {

using UnitPair = std::pair<std::uint32_t, std::uint32_t>;

/// Rounds of a tournament in which each unit meets every other unit once; 0 for less than two
/// units.
std::uint32_t tournament_rounds(std::uint32_t units);

/// The pairs of a round (from 0 on) by the circle method, lower number first. Each unit plays once;
/// of an odd number, one rests. Successive rounds are far apart on the circle, so that the first
/// few cover all distances.
std::vector<UnitPair> tournament_round(std::uint32_t units, std::uint32_t round);

}  // namespace percycle
