#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace percycle {

using UnitPair = std::pair<std::uint32_t, std::uint32_t>;

/// Rounds of a tournament in which each of so many units meets each other one once; none of less than two units.
std::uint32_t tournament_rounds(std::uint32_t units);

/// The pairs of a round (from 0 on), by the circle method: each unit plays once, of an odd number one rests. Rounds that follow each other lie
/// far apart on the circle, so that the first few are spread over all distances. The lower number first.
std::vector<UnitPair> tournament_round(std::uint32_t units, std::uint32_t round);

}  // namespace percycle
