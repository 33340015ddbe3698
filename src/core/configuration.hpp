#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "core/parameters.hpp"

namespace percycle {

/// The parameters of a point that shape its dispatch and change nothing of the question. An experiment may search for the best of them: its
/// points then have the parameter `role`, "search" for those of the whole matrix, "best" for the few that get the full protocol.
inline constexpr std::array<std::string_view, 4> kConfigurationParameters{"group_size", "groups_per_unit", "unroll", "loads"};

inline constexpr const char* kRole = "role";
inline constexpr const char* kSearchRole = "search";
inline constexpr const char* kBestRole = "best";

/// Whether the point is one of a search's matrix.
inline bool is_search(const Point& point) {
  const auto role = point.parameters.find(kRole);
  return role != point.parameters.end() && role->second == ParameterValue(kSearchRole);
}

/// Whether the parameter of that name is the role or shapes the dispatch.
inline bool is_configuration(std::string_view parameter) {
  return parameter == kRole ||
         std::find(kConfigurationParameters.begin(), kConfigurationParameters.end(), parameter) != kConfigurationParameters.end();
}

/// What the point asks: its parameters without the configuration and the role. Points that differ in nothing else have one answer, the best.
inline Parameters question_of(const Point& point) {
  Parameters question;
  for (const auto& [name, value] : point.parameters) {
    if (!is_configuration(name)) question[name] = value;
  }
  return question;
}

}  // namespace percycle
