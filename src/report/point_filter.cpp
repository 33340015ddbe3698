#include "report/point_filter.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "core/error.hpp"
#include "limits/close_names.hpp"

namespace percycle {
namespace {

constexpr const char* kPath = "path";

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

void check(std::string_view option, std::string_view kind, const std::vector<std::string>& names,
           const std::set<std::string>& known) {
  for (const std::string& name : names) {
    if (known.contains(name)) continue;
    const std::vector<std::string> all(known.begin(), known.end());
    const auto close = close_names(name, all);
    throw UsageError(fmt::format("{}: no point in these files has the {} '{}'; there is: {}", option, kind, name,
                                 all.empty() ? "none" : fmt::format("{}", fmt::join(close.empty() ? all : close, ", "))));
  }
}

}  // namespace

bool PointFilter::matches(const Point& point) const {
  const std::string* path = find_word(point.parameters, kPath);
  return holds(experiments, point.experiment) && (paths.empty() || (path && holds(paths, *path)));
}

std::vector<Run> filtered(std::vector<Run> runs, const PointFilter& filter) {
  if (filter.empty()) return runs;
  for (Run& run : runs) std::erase_if(run.points, [&](const PointHistory& point) { return !filter.matches(*point.point); });
  std::erase_if(runs, [](const Run& run) { return run.points.empty(); });
  return runs;
}

void check_names(const PointFilter& filter, const std::vector<Run>& runs) {
  if (filter.empty()) return;
  std::set<std::string> experiments;
  std::set<std::string> paths;
  for (const Run& run : runs) {
    for (const PointHistory& point : run.points) {
      experiments.insert(point.point->experiment);
      if (const std::string* path = find_word(point.point->parameters, kPath)) paths.insert(*path);
    }
  }
  check("--experiment", "experiment", filter.experiments, experiments);
  check("--path", "path", filter.paths, paths);
}

}  // namespace percycle
