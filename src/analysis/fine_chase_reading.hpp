#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/geometry.hpp"

namespace percycle {

/// Whether a set of the first level has more ways than `ways` says. The missing line of a walk over
/// one line too many comes up once per lap, so each lap misses at least once under every policy.
/// Behind another level that level may hold the line. False without a second pass.
bool has_more_ways(const GeometryReader& reader, std::size_t level, const GeometryReader::Ways& ways);

/// The replacement policy of a set, from a cyclic walk over one line more than its ways. "lru": all
/// loads miss. "pseudo-lru": the same loads hit in every lap. Else "random" (or any but MRU).
/// Without a second pass the average decides: "lru" or empty. Adds to the evidence.
std::optional<std::string> replacement_of(const GeometryReader& reader, std::size_t level, const GeometryReader::Ways& ways,
                                          std::vector<std::string>& evidence);

}  // namespace percycle
