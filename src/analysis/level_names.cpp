#include "analysis/level_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "core/units.hpp"

namespace percycle {
namespace {

/// The path with the most levels numbers them. On another path a level takes the name of an equal
/// size, else a number with the name of its path.
void name_numbers(std::vector<PathLevels>& paths) {
  std::vector<PathLevels*> order;
  for (auto& path : paths) order.push_back(&path);
  const auto rank = [](const PathLevels& path) {
    const std::string name = path.empty() ? "" : path.front().path;
    return std::tuple(name == "constant", -static_cast<int>(path.size()), name != "global");
  };
  std::stable_sort(order.begin(), order.end(), [&](const auto* a, const auto* b) { return rank(*a) < rank(*b); });
  std::vector<const HierarchyLevel*> named;
  for (auto* path : order) {
    for (std::size_t i = 0; i < path->size(); ++i) {
      auto& level = (*path)[i];
      const auto same = std::find_if(named.begin(), named.end(), [&](const auto* other) { return same_size(*other, level); });
      if (path != order.front() && same != named.end() && !(level.path == "constant" && i == 0)) {
        level.name = (*same)->name;
        continue;
      }
      level.name = fmt::format("{}L{}", path == order.front() && level.path != "constant" ? "" : level.path + " ", i + 1);
      if (level.path != "constant") named.push_back(&level);
    }
  }
}

/// Marks two successive, almost equal levels behind the first as the near and far part of one
/// partitioned cache.
void name_partitions(PathLevels& path) {
  for (std::size_t i = 2; i < path.size(); ++i) {
    auto& near = path[i - 1];
    auto& far = path[i];
    const double size_ratio = static_cast<double>(far.size_bytes) / static_cast<double>(near.size_bytes);
    if (size_ratio > hierarchy_thresholds.far_size || far.latency_ns / near.latency_ns > hierarchy_thresholds.far_latency)
      continue;
    if (near.gaps != far.gaps) continue;  // both must have lines of one size
    near.evidence.push_back(
        "slightly smaller and faster than the next level: perhaps the near part of one cache in two partitions");
    far.evidence.push_back(
        "slightly larger and slower than the level before: perhaps the far part of one cache in two partitions");
    far.name = near.name + " far";
    near.name += " near";
    if (far.line_bytes && near.line_bytes && *far.line_bytes != *near.line_bytes) {
      far.evidence.push_back(
          fmt::format("the test of tags finds {} here and {} in the near part: left out, as they contradict each other",
                      format_bytes(*far.line_bytes), format_bytes(*near.line_bytes)));
      far.line_bytes.reset();
    }
  }
}

}  // namespace

void name_levels(std::vector<PathLevels>& paths) {
  name_numbers(paths);
  for (auto& path : paths) name_partitions(path);
}

}  // namespace percycle
