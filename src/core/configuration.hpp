#pragma once

#include "core/parameters.hpp"

namespace percycle {

/// An experiment may search for the best configuration of its dispatches: its points then have the parameter `role`, "search" for those of
/// the whole matrix, "best" for the few that get the full protocol.
inline constexpr const char* kRole = "role";
inline constexpr const char* kSearchRole = "search";
inline constexpr const char* kBestRole = "best";

/// Whether the point is one of a search's matrix.
inline bool is_search(const Point& point) {
  const auto role = point.parameters.find(kRole);
  return role != point.parameters.end() && role->second == ParameterValue(kSearchRole);
}

}  // namespace percycle
