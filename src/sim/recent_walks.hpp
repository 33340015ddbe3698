#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "sim/cache_contents.hpp"
#include "sim/placed_walk.hpp"

namespace percycle::sim {

/// The latest walks, accounted without the caches. Their loads are replayed when the caches are
/// next used.
class RecentWalks {
 public:
  /// The end of a chase.
  struct WalkEnd {
    std::uint64_t end = 0;  ///< position after its last load
    std::uint64_t steps = 0;
  };

  /// `model` must outlive this.
  explicit RecentWalks(const Model& model) : model_(model) {}

  /// Adds simultaneous chases and how far each went.
  void add(const std::vector<PlacedWalk>& walks, const std::vector<WalkEnd>& stretches);

  /// Replays the loads that the caches have not seen (the last ones of long walks) and forgets
  /// them.
  void catch_up(CacheContents& caches);

 private:
  struct Together {
    std::vector<PlacedWalk> walks;
    std::vector<WalkEnd> stretches;
  };

  const Model& model_;
  std::deque<Together> recent_;
};

}  // namespace percycle::sim
