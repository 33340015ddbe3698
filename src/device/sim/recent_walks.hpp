#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "device/sim/hierarchy.hpp"
#include "device/sim/placed_walk.hpp"

namespace percycle::sim {

/// The latest walks, which were accounted without a look at the caches, until someone looks: then their loads are made up for.
class RecentWalks {
 public:
  /// How far a chase went.
  struct Stretch {
    std::uint64_t end = 0;  ///< position after its last load
    std::uint64_t steps = 0;
  };

  /// `model` must outlive this.
  explicit RecentWalks(const Model& model) : model_(model) {}

  /// Chases that went on at the same time, and how far each went.
  void add(const std::vector<PlacedWalk>& walks, const std::vector<Stretch>& stretches);

  /// Makes the loads that the caches have not seen, of long walks the last, and forgets them.
  void catch_up(Hierarchy& caches);

 private:
  struct Together {
    std::vector<PlacedWalk> walks;
    std::vector<Stretch> stretches;
  };

  const Model& model_;
  std::deque<Together> recent_;
};

}  // namespace percycle::sim
