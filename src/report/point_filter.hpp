#pragma once

#include <string>
#include <vector>

#include "core/parameters.hpp"
#include "store/runs.hpp"

namespace percycle {

/// Selects points; empty lists select all.
struct PointFilter {
  std::vector<std::string> experiments;
  std::vector<std::string> paths;  ///< values of the parameter `path`

  bool empty() const { return experiments.empty() && paths.empty(); }
  bool matches(const Point& point) const;
};

/// The runs with their matching points, without runs that have none.
std::vector<Run> filtered(std::vector<Run> runs, const PointFilter& filter);

/// Throws UsageError, with similar names, for a name that no point of the runs has.
void check_names(const PointFilter& filter, const std::vector<Run>& runs);

}  // namespace percycle
