#pragma once

#include "core/parameters.hpp"

namespace percycle {

/// The parameter of points that an experiment uses to search for its best dispatch: "search" for a
/// point of the whole matrix, "best" for the few points that are measured with the full protocol.
inline constexpr const char* kRole = "role";
inline constexpr const char* kSearchRole = "search";
inline constexpr const char* kBestRole = "best";

/// Whether the point belongs to the matrix of a search.
inline bool is_search(const Point& point) {
  const auto role = point.parameters.find(kRole);
  return role != point.parameters.end() && role->second == ParameterValue(kSearchRole);
}

}  // namespace percycle
