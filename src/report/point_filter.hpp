#pragma once

#include <string>
#include <vector>

#include "core/parameters.hpp"
#include "store/runs.hpp"

namespace percycle {

/// Which points are shown: all where nothing is named.
struct PointFilter {
  std::vector<std::string> experiments;
  std::vector<std::string> paths;  ///< values of the parameter `path`

  bool empty() const { return experiments.empty() && paths.empty(); }
  bool matches(const Point& point) const;
};

/// The runs with the points that match, without runs that have none of them.
std::vector<Run> filtered(std::vector<Run> runs, const PointFilter& filter);

/// Throws UsageError for a name that no point of the runs has, with close names that one has.
void check_names(const PointFilter& filter, const std::vector<Run>& runs);

}  // namespace percycle
