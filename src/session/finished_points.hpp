#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/measurement.hpp"

namespace percycle {

/// The finished points of one device, each once, sorted by name: a plan does not depend on the
/// order of measurement.
class FinishedPoints {
 public:
  bool contains(const Point& point) const { return place_of(to_string(point)).second; }
  /// Throws std::out_of_range if the point is not finished.
  const PointResult& at(const Point& point) const {
    const auto [place, is_there] = place_of(to_string(point));
    if (!is_there) throw std::out_of_range(to_string(point));
    return results_[place];
  }
  /// Adds a result, or replaces the point's earlier one.
  void add(PointResult result) {
    std::string name = to_string(result.point);
    const auto [place, is_there] = place_of(name);
    if (is_there) {
      results_[place] = std::move(result);
      return;
    }
    const auto at = static_cast<std::ptrdiff_t>(place);
    names_.insert(names_.begin() + at, std::move(name));
    results_.insert(results_.begin() + at, std::move(result));
  }

  std::span<const PointResult> all() const { return results_; }
  std::size_t size() const { return results_.size(); }
  bool empty() const { return results_.empty(); }

 private:
  /// The index of the point of that name, or of its place.
  std::pair<std::size_t, bool> place_of(const std::string& name) const {
    const auto found = std::lower_bound(names_.begin(), names_.end(), name);
    return {static_cast<std::size_t>(found - names_.begin()), found != names_.end() && *found == name};
  }

  std::vector<std::string> names_;  ///< sorted names of the results, in the same order
  std::vector<PointResult> results_;
};

}  // namespace percycle
