#include "analysis/level_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>

#include "core/units.hpp"

namespace percycle {
namespace {

/// A level's part of a cache in two partitions.
enum class Part { whole, near, far };

/// The parts of a path's levels. Two successive levels behind the first that are nearly one are the
/// near and the far part of one cache.
std::vector<Part> parts_of(const PathLevels& path) {
  std::vector<Part> parts(path.size(), Part::whole);
  for (std::size_t i = 2; i < path.size(); ++i) {
    const auto& near = path[i - 1];
    const auto& far = path[i];
    // A cache has two parts, not three.
    if (!are_nearly_one(near, far) || parts[i - 1] == Part::far) continue;
    parts[i - 1] = Part::near;
    parts[i] = Part::far;
  }
  return parts;
}

void explain_parts(HierarchyLevel& near, HierarchyLevel& far) {
  near.evidence.push_back(
      "it is slightly smaller and faster than the next level: perhaps the near part of one cache in two partitions");
  far.evidence.push_back(
      "it is slightly larger and slower than the level before: perhaps the far part of one cache in two partitions");
  if (far.line_bytes && near.line_bytes && *far.line_bytes != *near.line_bytes) {
    far.evidence.push_back(fmt::format("the test of tags gives lines of {} here but {} there, so the line is left out",
                                       format_bytes(*far.line_bytes), format_bytes(*near.line_bytes)));
    far.line_bytes.reset();
  }
}

std::string path_name(const PathLevels& path) { return path.empty() ? "" : path.front().path; }

/// Paths in the order in which they give names: the path that shows the most levels first, or the
/// global one; caches of constants last.
std::vector<PathLevels*> by_precedence(std::vector<PathLevels>& paths, bool global_first) {
  std::vector<PathLevels*> order;
  for (auto& path : paths) order.push_back(&path);
  const auto rank = [&](const PathLevels& path) {
    const std::string name = path_name(path);
    const bool global = name == kClosestPath;
    return std::tuple(name == kConstantPath, global_first && !global, -static_cast<int>(path.size()), !global);
  };
  std::stable_sort(order.begin(), order.end(), [&](const auto* a, const auto* b) { return rank(*a) < rank(*b); });
  return order;
}

/// A path that shows a cache whole, where another path shows two parts, lacks the near part.
void name_whole_caches(PathLevels& path) {
  constexpr std::string_view kNear = " near";
  constexpr std::string_view kFar = " far";
  const auto shows = [&](const std::string& name) {
    return std::any_of(path.begin(), path.end(), [&](const auto& level) { return level.name == name; });
  };
  for (auto& level : path) {
    if (!level.name.ends_with(kFar)) continue;
    const std::string cache = level.name.substr(0, level.name.size() - kFar.size());
    if (!shows(cache + std::string(kNear))) level.name = cache;
  }
}

/// A level that shows on no other path takes its path's name and the number of its place.
void name_in_order(const std::vector<PathLevels*>& order) {
  std::vector<const HierarchyLevel*> named;
  for (auto* path : order) {
    const auto parts = parts_of(*path);
    const std::vector<const HierarchyLevel*> others = named;
    int number = 0;
    for (std::size_t i = 0; i < path->size(); ++i) {
      auto& level = (*path)[i];
      if (parts[i] != Part::far) ++number;
      const bool constant = level.path == kConstantPath;
      const auto same = std::find_if(others.begin(), others.end(), [&](const auto* other) { return same_size(*other, level); });
      if (same != others.end() && !(constant && i == 0)) {
        level.name = (*same)->name;
        continue;
      }
      const char* part = parts[i] == Part::near ? " near" : parts[i] == Part::far ? " far" : "";
      level.name = fmt::format("{}L{}{}", path == order.front() && !constant ? "" : level.path + " ", number, part);
      if (!constant) named.push_back(&level);
    }
  }
}

/// Whether the names of a path's levels skip a number between two levels.
bool has_gap(const PathLevels& path) {
  const auto number = [](const HierarchyLevel& level) { return level.name[level.name.find('L') + 1]; };
  return std::adjacent_find(path.begin(), path.end(), [&](const auto& inner, const auto& outer) {
           return number(outer) > number(inner) + 1;
         }) != path.end();
}

}  // namespace

bool are_nearly_one(const SeenLevel& near, const SeenLevel& far) {
  const double size_ratio = static_cast<double>(far.size_bytes) / static_cast<double>(near.size_bytes);
  // Both parts have lines of one size.
  return size_ratio <= hierarchy_thresholds.far_size && far.latency_ns / near.latency_ns <= hierarchy_thresholds.far_latency &&
         near.gaps == far.gaps;
}

void name_levels(std::vector<PathLevels>& paths) {
  for (auto& path : paths) {
    const auto parts = parts_of(path);
    for (std::size_t i = 0; i < path.size(); ++i) {
      if (parts[i] == Part::far) explain_parts(path[i - 1], path[i]);
    }
  }
  name_in_order(by_precedence(paths, false));
  // A level that only another path shows, between two of the global path's levels, has no number.
  if (std::any_of(paths.begin(), paths.end(), [](const auto& path) { return path_name(path) == kClosestPath && has_gap(path); }))
    name_in_order(by_precedence(paths, true));
  for (auto& path : paths) name_whole_caches(path);
}

}  // namespace percycle
