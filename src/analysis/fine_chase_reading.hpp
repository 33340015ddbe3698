#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/geometry.hpp"

namespace percycle {

/// Which replacement policy a set shows that is walked over and over with one line more than it has ways: "lru" when all loads miss;
/// "pseudo-lru" when some hit, the same ones in every lap; "random" when some hit, now these, now those (random, or any but the most recently
/// used). From the fine-grained second pass where it was measured, else "lru" or nothing from the average. Adds to the evidence.
std::optional<std::string> replacement_of(const GeometryReader& reader, std::size_t level, const GeometryReader::Ways& ways,
                                          std::vector<std::string>& evidence);

}  // namespace percycle
